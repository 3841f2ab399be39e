// Copies a text; returns whether the browser let it. Only pages that came over https, or from this machine, have a
// clipboard; others can copy what is marked.
export async function copyText(words) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = words;
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
