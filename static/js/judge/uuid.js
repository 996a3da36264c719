// A random UUID. Browsers have randomUUID over HTTPS and on localhost only; a Concord in a local
// network may be neither.
export function randomUUID() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40; // version 4: random
  bytes[8] = (bytes[8] & 0x3f) | 0x80; // the variant of RFC 9562
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
