/** A refusal, as the server words it. */
export class ApiError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export interface Session {
  user: string;
  groups: string[];
  cluster: string;
  complete: boolean;
  seesNodes: boolean;
  seesEveryPod: boolean;
  readOnly: boolean;
}

const ROOT = new URL('api/v1/', document.baseURI).href;

/** Where something of the console's API is. */
export function address(path: string, query: Record<string, string> = {}): string {
  const url = new URL(path, ROOT);
  for (const [name, value] of Object.entries(query)) {
    if (value) url.searchParams.set(name, value);
  }
  return url.href;
}

/** Parts of a path, each as one segment whatever is in it. */
export function segments(...parts: string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

export async function get<T>(path: string, query: Record<string, string> = {}, signal?: AbortSignal): Promise<T> {
  return answer<T>(fetch(address(path, query), { headers: { Accept: 'application/json' }, signal }));
}

export async function send<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const headers: Record<string, string> = { 'X-Berth-Console': '1', Accept: 'application/json' };
  if (token) headers['Authorization'] = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return answer<T>(
    fetch(address(path), { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }),
  );
}

async function answer<T>(pending: Promise<Response>): Promise<T> {
  let response: Response;
  try {
    response = await pending;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, 'The server does not answer.');
  }
  const text = await response.text();
  let value: unknown;
  try {
    value = text ? JSON.parse(text) : {};
  } catch {
    throw new ApiError(response.status, `The server answered something else than JSON (${response.status}).`);
  }
  if (!response.ok) {
    const message = (value as { message?: string }).message;
    throw new ApiError(response.status, message || `The server answered ${response.status}.`);
  }
  return value as T;
}

export interface ApiRequest {
  method: string;
  path: string;
  body?: unknown;
}

/** Sends a request to the Kubernetes API as who is signed in. */
export function sendRequest(request: ApiRequest, dryRun: boolean): Promise<unknown> {
  return send('POST', 'requests', { ...request, dryRun });
}
