import type { IncomingMessage } from 'node:http';
import { asksAfresh } from './afresh.ts';
import type { Plan } from './answers.ts';
import type { OpenResponse } from './headers.ts';
import { respond, type Way } from './respond.ts';

/** Addresses by which kept answers are found again without reading them. */
const MAX_TARGETS = 10_000;
const MAX_TARGET_LENGTH = 500;

/** Answers requests from what is kept, or else by a plan. */
export interface Reception {
  /** Answers what was asked for before in the same words, if that holds still. */
  answerAtOnce(request: IncomingMessage, response: OpenResponse): boolean;
  /** @throws what the plan does */
  carryOut(plan: Plan, request: IncomingMessage, response: OpenResponse): Promise<void>;
}

/** Between the requests and the answers. */
export function createReception(way: Way, now: () => number): Reception {
  const { store } = way;
  const keys = new Map<string, string>();

  return {
    answerAtOnce(request, response) {
      const { method, url = '' } = request;
      if (method !== 'GET' && method !== 'HEAD') return false;
      const key = keys.get(url);
      const answer = key === undefined ? undefined : store.find(key, asksAfresh(request.headers));
      if (key === undefined || answer === undefined) return false;
      response.outcome = answer.held.isStale ? 'stale' : 'hit';
      respond(request, response, key, answer, way, now())?.catch(() => response.destroy());
      return true;
    },

    async carryOut(plan, request, response) {
      const { answer, outcome } = await store.answer(plan);
      response.outcome = outcome;
      const { url = '' } = request;
      // Anew from time to time, which costs less than to know what was used last.
      if (keys.size >= MAX_TARGETS) keys.clear();
      if (answer.isKept && url.length <= MAX_TARGET_LENGTH) keys.set(url, plan.key);
      if (!response.destroyed) await respond(request, response, plan.key, answer, way, now());
    },
  };
}
