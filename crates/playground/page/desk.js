// The desk: the module that checks and runs programs. It answers requests in JSON.
const desk = (() => {
  let compiled, instance;
  const text = (halves) => {
    const at = Number(halves >> 32n), length = Number(halves & 0xffffffffn);
    return new TextDecoder().decode(new Uint8Array(instance.exports.memory.buffer, at, length));
  };
  const start = async () => { instance = await WebAssembly.instantiate(compiled, {}); };
  return {
    async open() {
      const bytes = Uint8Array.from(atob(document.getElementById("module").textContent.trim()), (c) => c.charCodeAt(0));
      compiled = await WebAssembly.compile(bytes);
      await start();
    },
    // A module that traps is replaced by another one, which knows nothing of what was before.
    async ask(...lines) {
      const bytes = new TextEncoder().encode(lines.join("\n"));
      try {
        const at = instance.exports.allocate(bytes.length);
        new Uint8Array(instance.exports.memory.buffer, at, bytes.length).set(bytes);
        return JSON.parse(text(BigInt.asUintN(64, instance.exports.ask(at, bytes.length))));
      } catch (error) {
        let words = "";
        try { words = text(BigInt.asUintN(64, instance.exports.last_words())); } catch { /* It has none. */ }
        await start();
        return { trapped: true, messages: [{ line: 0, column: 0, text: words || String(error) }] };
      }
    },
  };
})();
