// What stays in this browser: the games that are being recorded, step by step, which a link moves to another device; and the
// page itself, so that it opens without a connection, too.
const STORE = "bezique-drafts";
const LAST = "bezique-last-rules";
const KEPT = "bezique-recorder";

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? {};
  } catch {
    return {};
  }
}

function write(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false; // a private window, or no room
  }
}

export const lastRules = {
  get: () => read(LAST),
  set: (value) => write(LAST, value),
};

export const drafts = {
  all: () => Object.values(read(STORE)).sort((one, other) => other.changed - one.changed),
  get: (id) => read(STORE)[id],
  keep(draft) {
    return write(STORE, { ...read(STORE), [draft.id]: { ...draft, changed: Date.now() } });
  },
  delete(id) {
    const all = read(STORE);
    delete all[id];
    write(STORE, all);
  },
};

// A draft in the fragment of an address, which no browser sends to a server.
export async function writeLink(draft) {
  const packed = await pipe(new TextEncoder().encode(JSON.stringify(draft)), "CompressionStream");
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  const code = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `${location.origin}${location.pathname}#draft=${code}`;
}

export async function readLink(fragment) {
  const code = new URLSearchParams(fragment.slice(1)).get("draft");
  if (!code) return null;
  try {
    const text = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await pipe(bytes, "DecompressionStream")));
  } catch {
    return undefined;
  }
}

async function pipe(bytes, kind) {
  const stream = new Blob([bytes]).stream().pipeThrough(new globalThis[kind]("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The page and all that it loads.
export async function keepPage({ page, worker }) {
  if (!navigator.serviceWorker || !globalThis.caches) return; // not for pages that are sent in the clear
  try {
    await navigator.serviceWorker.register(worker, { scope: page });
    const kept = await caches.open(KEPT);
    const addresses = [...new Set([page, ...loaded()])].map((each) => new URL(each, location).href);
    await kept.addAll(addresses);
    for (const { url } of await kept.keys()) if (!addresses.includes(url)) await kept.delete(url);
    document.documentElement.dataset.kept = "";
  } catch {
    /* without a connection what was kept before stays */
  }
}

// The scripts, styles and pictures of the page.
function loaded() {
  return performance
    .getEntriesByType("resource")
    .filter(({ initiatorType }) => initiatorType !== "fetch")
    .map(({ name }) => name)
    .filter((name) => name.startsWith(location.origin));
}
