/** What a platform does wrong from now on. */
export async function setFaults(
  { url, token }: { readonly url: string; readonly token: string },
  rules: readonly unknown[],
): Promise<void> {
  const response = await fetch(`${url}/_platform/faults`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(rules),
  });
  if (!response.ok) throw new Error(`faults: ${await response.text()}`);
}
