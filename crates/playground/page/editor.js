// Text in lines, coloured; and the editor, which is such a text below what is typed.
const WORDS = /^(as|const|else|enum|fn|for|if|impl|in|let|loop|match|mod|move|mut|pub|ref|return|self|struct|true|false|use|where|while|break|continue)$/;
const PIECES = /(\/\/.*)|("(?:[^"\\]|\\.)*")|(#!?\[[^\]]*\])|(\b\d(?:\w|\.\d)*(?:\.(?![.\w]))?)|([A-Za-z_]\w*)|([^A-Za-z_\d"#/]+|.)/g;

function coloured(line) {
  const span = document.createElement("span");
  for (const [piece, comment, quoted, mark, number, word] of line.matchAll(PIECES)) {
    const kind = comment ? "comment" : quoted || number ? "number" : mark ? "mark" : word && WORDS.test(word) ? "word" : "";
    if (!kind) { span.append(piece); continue; }
    const part = document.createElement("span");
    part.className = kind;
    part.textContent = piece;
    span.append(part);
  }
  return span;
}

// Shows a text; rows that stay the same are kept.
function show(element, text) {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "" && element.id !== "backdrop") lines.pop();
  while (element.children.length > lines.length) element.lastChild.remove();
  lines.forEach((line, i) => {
    let row = element.children[i];
    if (row && row.text === line) return;
    if (!row) {
      row = document.createElement("div");
      const number = document.createElement("b");
      number.textContent = i + 1;
      row.append(number);
      element.append(row);
      row.className = "row";
    } else row.lastChild.remove();
    row.text = line;
    row.append(coloured(line));
  });
}

// Marks the rows with these numbers, counted from zero.
function mark(element, kind, numbers, scrolls) {
  const wanted = new Set(numbers);
  [...element.children].forEach((row, i) => row.classList.toggle(kind, wanted.has(i)));
  const first = element.children[numbers[0]];
  if (scrolls && first) {
    const box = scroller(element), top = first.offsetTop - element.offsetTop;
    if (top < box.scrollTop || top + 40 > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 3;
  }
}

const source = document.getElementById("source"), backdrop = document.getElementById("backdrop");
const scroller = (element) => (element === backdrop ? source : element);

source.addEventListener("scroll", () => {
  backdrop.scrollTop = source.scrollTop;
  backdrop.scrollLeft = source.scrollLeft;
});

// Tab indents, unless Escape was pressed before: then it leaves.
let leaves = false;
source.addEventListener("keydown", (event) => {
  if (event.key === "Escape") leaves = true;
  else if (event.key === "Tab" && !leaves && !event.shiftKey) {
    event.preventDefault();
    document.execCommand("insertText", false, "    ");
  } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const before = source.value.slice(0, source.selectionStart).split("\n").at(-1);
    const deeper = /[{([]\s*$/.test(before) ? "    " : "";
    document.execCommand("insertText", false, "\n" + before.match(/^ */)[0] + deeper);
  } else if (event.key !== "Shift") leaves = false;
});

// The line of the cursor, counted from one.
const line_of_cursor = () => source.value.slice(0, source.selectionStart).split("\n").length;

function go_to(line, column) {
  const lines = source.value.split("\n");
  const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + Math.max(0, column - 1);
  source.focus();
  source.setSelectionRange(at, at);
  mark(backdrop, "linked", [line - 1], true);
}
