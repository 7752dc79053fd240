/** Path of a conversation. */
export function conversationPath(id, below = "") {
  return `/api/conversations/${encodeURIComponent(id)}${below}`;
}
