// What somebody chose, dropped or typed, on the device until it has been sent: a closed tab or a lost session loses nothing.
const STORE = "uploads";

function open() {
  return new Promise((done, failed) => {
    const asking = indexedDB.open("bezique-uploads", 1);
    asking.onupgradeneeded = () => asking.result.createObjectStore(STORE);
    asking.onsuccess = () => done(asking.result);
    asking.onerror = () => failed(asking.error);
  });
}

// In a private window, or on a full disk, nothing is kept, and everything else goes on.
async function ask(mode, act) {
  try {
    const database = await open();
    return await new Promise((done, failed) => {
      const change = database.transaction(STORE, mode);
      const asking = act(change.objectStore(STORE));
      change.oncomplete = () => done(asking.result);
      change.onerror = change.onabort = () => failed(change.error);
    }).finally(() => database.close());
  } catch {
    return undefined;
  }
}

export const keep = (name, value) => ask("readwrite", (store) => store.put(value, name));
export const kept = (name) => ask("readonly", (store) => store.get(name));
export const forget = (name) => ask("readwrite", (store) => store.delete(name));
