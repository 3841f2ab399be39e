// Many small files as one: a tar archive, which the server reads file by file. No file is read here, only counted.
const BLOCK = 512;
const LONGEST_NAME = 100;
const LONGEST_FOLDER = 155;

export function packFiles(files, name) {
  const parts = [];
  for (const file of files) {
    const rest = (BLOCK - (file.size % BLOCK)) % BLOCK;
    parts.push(header(pathOf(file), file.size), file, new Uint8Array(rest));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return new File(parts, name, { type: "application/x-tar" });
}

// The place of a file in the folder that was chosen or dropped.
export function pathOf(file) {
  return file.path ?? (file.webkitRelativePath || file.name);
}

// The head of a file in the archive (POSIX ustar): its name, its size, and the sum of the bytes of the head.
function header(path, size) {
  const head = new Uint8Array(BLOCK);
  const write = (text, at) => head.set(new TextEncoder().encode(text), at);
  const [folder, name] = splitPath(path);
  head.set(name, 0);
  write("0000644\0", 100);
  write("0000000\0", 108);
  write("0000000\0", 116);
  write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  write("00000000000\0", 136);
  write("        ", 148); // the sum counts its own place as blanks
  write("0", 156);
  write("ustar\x0000", 257);
  head.set(folder, 345);
  const sum = head.reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return head;
}

// The folder and the name of a file in bytes, as much of both as the head has room for.
function splitPath(path) {
  const encoder = new TextEncoder();
  const at = path.lastIndexOf("/");
  return [
    encoder.encode(path.slice(0, Math.max(0, at))).slice(-LONGEST_FOLDER),
    encoder.encode(path.slice(at + 1)).slice(-LONGEST_NAME),
  ];
}
