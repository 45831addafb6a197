// The page: what is typed is checked, what is checked can be run.
const element = (id) => document.getElementById(id);
const exhibits = JSON.parse(element("exhibits").textContent);
const END = "18446744073709551615";
// How many stops are passed between two looks at the page, and how many are tried to find the last.
const PART = 2000, TRIED = 20000;

let program = null;      // what the desk says of the program that is run
let programs = [];       // the programs of the text, with the lines that they begin in
let seen = null;         // the program that is looked at: the one around the cursor, or a callee on its way
let state = null;        // where its run stands
let given = {};          // arguments as typed, by program and parameter
let last = null;         // the last stop, if it is known
let going = 0;           // the number of the journey under way: an older one stops
let asked = Promise.resolve();

// Requests one after the other: a module may have to be replaced in between.
const ask = (...lines) => (asked = asked.then(() => desk.ask(...lines)));

// ---- checking

async function check() {
  const began = performance.now(), text = source.value;
  going++;
  show(backdrop, text);
  const answer = await ask("check", element("program").value || program?.name || "", text);
  if (text !== source.value) return;
  say(answer.messages);
  // With errors, the last programs that had none stay, without a run.
  if (answer.messages.length === 0) take(answer);
  else { state = null; render(); }
  link();
  page.key_ms = performance.now() - began;
  if (answer.messages.length === 0 && program) await start(true);
}

function say(messages) {
  element("messages").replaceChildren(...messages.map((message) => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.textContent = message.line ? `${message.line}:${message.column}  ${message.text}` : message.text;
    button.onclick = () => go_to(message.line || 1, message.column);
    item.append(button);
    return item;
  }));
  document.body.classList.toggle("stale", messages.length > 0);
  mark(backdrop, "wrong", messages.map((message) => message.line - 1));
}

function take(answer) {
  program = answer.program;
  programs = answer.programs;
  const names = programs.map((own) => own.name);
  const select = element("program");
  select.replaceChildren(...names.map((name) => new Option(name, name, false, name === program?.name)));
  see(program);
  if (!program) return;
  const fields = element("arguments"), before = [...fields.elements].map((input) => input.name).join();
  const params = program.params.filter((param) => !param.host);
  if (before !== params.map((param) => field(param)).join()) {
    fields.replaceChildren(...params.map((param) => {
      const label = document.createElement("label"), input = document.createElement("input");
      label.textContent = `${param.name}: ${param.type}`;
      input.name = field(param);
      input.value = given[input.name] ?? param.example;
      input.spellcheck = false;
      input.autocapitalize = "off";
      input.oninput = () => { given[input.name] = input.value; start(true); };
      label.append(input);
      return label;
    }));
  }
  const mission = element("mission"), chosen = mission.value;
  const missions = [["values", "values"]];
  const derived = program.adjoint?.text && !program.adjoint.text.startsWith("//");
  if (derived && !program.procedure) missions.push(["adjoint ", "adjoint of the value"]);
  if (derived && program.procedure) {
    for (const param of program.params.filter((param) => param.changed && param.active)) missions.push([`adjoint ${param.name}`, `adjoint of ${param.name}`]);
  }
  mission.replaceChildren(...missions.map(([value, text]) => new Option(text, value, false, value === chosen)));
}

// Shows what is derived from a program.
function see(other) {
  seen = other;
  for (const kind of ["inverse", "adjoint"]) {
    show(element(kind), seen?.[kind]?.text ?? "");
    element(kind).previousElementSibling.textContent = `${kind === "inverse" ? "Inverse" : "Adjoint"}${seen ? ` of ${seen.name}` : ""}`;
  }
  element("diagram").innerHTML = seen?.diagram ?? "";
}

// Goes to the program around a line.
async function see_line(line) {
  const around = programs.findLast((own) => own.line <= line)?.name;
  if (!around || around === seen?.name) return;
  const answer = around === program?.name ? program : await ask("show", around);
  if (answer?.name === around && programs.some((own) => own.name === around)) see(answer);
}

const field = (param) => `${program.name} ${param.name}`;
const values = () => program.params.map((param) => (param.host ? "()" : element("arguments").elements[field(param)].value.replaceAll("\n", " ")));

// ---- running

// Begins a run; `looks` finds out where it ends, a moment later.
async function start(looks) {
  const own = ++going;
  if (!program) return;
  const begun = await ask("start", element("mission").value, ...values());
  if (own !== going) return;
  arrive(begun, looks ? null : last);
  if (!looks || begun.messages) return;
  await new Promise((resolve) => setTimeout(resolve, 250));
  if (own !== going) return;
  const end = await ask("seek", END, String(TRIED));
  if (own !== going) return;
  const found = end.last ?? null;
  const again = await ask("start", element("mission").value, ...values());
  if (own === going) arrive(again, found);
}

function arrive(answer, known) {
  if (answer.messages) {
    state = null;
    failures(answer.messages.map((message) => message.text));
    render();
    if (answer.trapped) note("The module was stopped by an error of its own, and has been started again.");
    return;
  }
  const before = state;
  state = answer;
  last = answer.last ?? known ?? null;
  state.before = before;
  failures(state.failed);
  render();
}

// Goes to a stop, part by part, so that it can be stopped.
async function seek(target) {
  if (!state) { await start(false); if (!state) return false; }
  const own = ++going;
  element("stop").disabled = false;
  for (;;) {
    const answer = await ask("seek", String(target), String(PART));
    if (own !== going) return false;
    arrive(answer, last);
    if (answer.messages || answer.arrived) break;
    await new Promise((resolve) => setTimeout(resolve));
    if (own !== going) return false;
  }
  element("stop").disabled = true;
  return !!state;
}

const actions = {
  step: () => seek((state?.position ?? 0) + 1),
  back: () => seek(Math.max(0, (state?.position ?? 0) - 1)),
  begin: () => seek(0),
  end: () => seek(END),
  trip: async () => { if ((await seek(END)) && state.ended) await seek(0); },
  stop: () => { going++; element("stop").disabled = true; },
};

function failures(texts) {
  element("failures").replaceChildren(...(texts ?? []).map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
}

// ---- showing

function render() {
  const known = state !== null, scrubber = element("scrubber");
  scrubber.disabled = !known;
  scrubber.max = known ? Math.max(last ?? state.furthest, state.position) : 0;
  scrubber.value = known ? state.position : 0;
  const end = last ?? (known ? `${state.furthest}…` : "");
  const place = !known ? "" : state.ended ? "the end" : `line ${state.line}${state.calls ? ` in ${state.function}` : ""}`;
  element("position").textContent = known ? `${state.position} of ${end} · ${place}` : "";
  const line = known && !state.ended ? state.line : null;
  mark(backdrop, "now", line ? [line - 1] : [], true);
  if (line) see_line(line).then(() => mark_now(line));
  else mark_now(null);
  const adjoint = element("mission").value.startsWith("adjoint");
  const table = element("values"), cells = (row, kind, texts) => row.append(...texts.map((text) => {
    const cell = document.createElement(kind);
    cell.textContent = text;
    return cell;
  }));
  const head = document.createElement("tr"), all = known ? [...state.variables] : [];
  if (known && state.value !== null) all.push({ name: "value", value: state.value, adjoint: "" });
  cells(head, "th", adjoint ? ["variable", "value", "adjoint"] : ["variable", "value"]);
  table.tHead.replaceChildren(head);
  table.tBodies[0].replaceChildren(...all.map((variable) => {
    const row = document.createElement("tr"), before = state.before?.variables.find((own) => own.name === variable.name);
    cells(row, "td", adjoint ? [variable.name, variable.value, variable.adjoint ?? ""] : [variable.name, variable.value]);
    row.classList.toggle("changed", !!before && (before.value !== variable.value || before.adjoint !== variable.adjoint));
    return row;
  }));
  render_drift(known && !adjoint ? state.drift : null);
}

// The statement that runs next, in what is derived.
function mark_now(line) {
  for (const kind of ["inverse", "adjoint"]) mark(element(kind), "now", line ? rows(kind, line) : [], true);
  for (const part of element("diagram").querySelectorAll("[data-line]")) part.classList.toggle("now", Number(part.dataset.line) === line);
}

// From the last bit of a float to all of it.
const share = (x) => (x > 0 ? Math.min(1, Math.max(0.04, 1 + Math.log10(x) / 16)) : 0);

function render_drift(drift) {
  const box = element("drift"), bar = box.querySelector(".meter span"), text = element("drift-text");
  box.hidden = drift === null;
  if (!drift) return;
  const part = share(drift.worst);
  bar.style.width = `${100 * part}%`;
  bar.style.setProperty("--whole", `${part > 0 ? 100 / part : 100}%`);
  box.classList.toggle("exact", drift.measured && drift.worst === 0);
  text.textContent = !drift.measured ? "Go there and back to measure it."
    : drift.worst === 0 ? "Everything came back bit for bit so far."
    : `Floats are off by at most ${drift.worst.toExponential(1)} of the largest.` + (drift.changed === null ? "" : ` ${drift.changed} numbers came back with other bits.`);
  const end = Math.max(1, ...drift.curve.map(([at]) => at));
  const points = drift.curve.map(([at, x], i) => `${i ? "L" : "M"}${(198 * at) / end + 1} ${46 - 44 * share(x)}`);
  element("curve").innerHTML = points.length > 1 ? `<path d="${points.join("")}"/>` : "";
}

// The rows of a derived program that come from a line.
const rows = (kind, line) => (seen?.[kind]?.lines ?? []).flatMap((from, i) => (from === line ? [i] : []));

// The same statement everywhere.
async function link(line = line_of_cursor(), from = null) {
  await see_line(line);
  mark(backdrop, "linked", [line - 1], from !== null);
  for (const kind of ["inverse", "adjoint"]) mark(element(kind), "linked", rows(kind, line), from !== kind);
}

for (const kind of ["inverse", "adjoint"]) {
  element(kind).addEventListener("click", (event) => {
    const row = event.target.closest(".row"), line = seen?.[kind]?.lines[[...element(kind).children].indexOf(row)];
    if (line) link(line, kind);
  });
}
element("diagram").addEventListener("click", (event) => {
  const line = event.target.closest("[data-line]")?.dataset.line;
  if (line) link(Number(line), "diagram");
});
document.addEventListener("selectionchange", () => { if (document.activeElement === source) link(); });

// ---- links, the gallery, keys

function note(text) {
  element("note").textContent = text;
  element("note").hidden = !text;
}

// A sum over the text, by which a damaged link is told.
function sum(text) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

function packed() {
  const args = program ? Object.fromEntries(program.params.filter((param) => !param.host).map((param) => [field(param), element("arguments").elements[field(param)]?.value])) : {};
  const text = JSON.stringify({ text: source.value, name: program?.name ?? "", args });
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  return `#p=${sum(text)}${btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

function unpacked(hash) {
  const bytes = atob(hash.slice(11).replaceAll("-", "+").replaceAll("_", "/"));
  const text = new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
  if (sum(text) !== hash.slice(3, 11)) throw new Error("the sum differs");
  const { text: own, name, args } = JSON.parse(text);
  return { text: String(own), name: String(name), args: Object(args) };
}

async function open(text, name, args) {
  source.value = text;
  source.scrollTop = 0;
  program = null;
  state = null;
  given = args;
  take({ program: null, programs: [] });
  element("arguments").replaceChildren();
  element("program").replaceChildren(new Option(name, name));
  source.setSelectionRange(0, 0);
  await check();
  const line = programs.find((own) => own.name === program?.name)?.line;
  if (line > 1) mark(backdrop, "linked", [line - 1], true);
}

async function open_exhibit(i) {
  const { text, name, args } = exhibits[i];
  await open(text, name, {});
  if (!program || program.name !== name) return;
  program.params.forEach((param, i) => {
    const input = element("arguments").elements[field(param)];
    if (input && args[i] !== undefined) input.value = given[input.name] = args[i];
  });
  await start(true);
}

async function open_link() {
  const { hash } = location;
  note("");
  if (!hash.startsWith("#p=")) return open_exhibit(0);
  try {
    const { text, name, args } = unpacked(hash);
    await open(text, name, args);
  } catch {
    await open("", "", {});
    note("This link is damaged: it does not carry a whole program. The editor is empty.");
  }
}

element("gallery").replaceChildren(...exhibits.map(({ title }, i) => new Option(title, i)));
element("gallery").onchange = (event) => { note(""); open_exhibit(Number(event.target.value)); };
element("program").onchange = () => { state = null; check(); };
element("mission").onchange = () => { state = null; start(true); };
element("scrubber").oninput = (event) => seek(event.target.value);
element("arguments").onsubmit = (event) => { event.preventDefault(); actions.trip(); };
for (const name of Object.keys(actions)) element(name).onclick = actions[name];
element("share").onclick = async () => {
  history.replaceState(null, "", packed());
  try { await navigator.clipboard.writeText(location.href); note("The link is copied; it is in the address bar too."); }
  catch { note("The link is in the address bar."); }
};
element("help").onclick = () => {
  element("keys").hidden = !element("keys").hidden;
  element("help").setAttribute("aria-expanded", String(!element("keys").hidden));
};
for (const tab of document.querySelectorAll("#tabs button")) {
  tab.onclick = () => {
    for (const other of document.querySelectorAll("#tabs button")) {
      other.setAttribute("aria-selected", String(other === tab));
      element(`${other.dataset.pane}-pane`).classList.toggle("shown", other === tab);
    }
  };
}
document.addEventListener("keydown", (event) => {
  const action = event.key === "F8" ? (event.shiftKey ? "back" : "step") : event.key === "F9" ? (event.shiftKey ? "begin" : "end")
    : event.key === "Enter" && (event.ctrlKey || event.metaKey) ? "trip" : event.key === "Escape" ? "stop" : null;
  if (!action) return;
  if (action !== "stop") event.preventDefault();
  actions[action]();
});
source.addEventListener("input", check);
window.addEventListener("hashchange", open_link);

// What tests ask.
const page = { key_ms: null, ready: false, state: () => state, program: () => program };
window.playground = page;
desk.open().then(open_link).then(() => { page.ready = true; }, (error) => note(`The page could not be started: ${error}`));
