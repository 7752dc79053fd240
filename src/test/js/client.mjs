// OpenAI's client for Node against a running server: node client.mjs BASE_URL KEY MODEL
import assert from "node:assert/strict";
import OpenAI, { APIUserAbortError, AuthenticationError, BadRequestError, NotFoundError } from "openai";

const [baseURL, apiKey, model] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const params = (more) => ({
  model,
  messages: [{ role: "user", content: "Tell me" }],
  max_completion_tokens: 16,
  seed: 7,
  ...more,
});
const utf8 = (entries) => Buffer.from(entries.flatMap((entry) => entry.bytes ?? [])).toString("utf8");

const checks = {
  async chat() {
    const whole = await client.chat.completions.create(params({ user: "someone", metadata: { run: "7" } }));
    assert.equal(whole.object, "chat.completion");
    assert.equal(whole.choices[0].finish_reason, "length");
    assert.equal(whole.choices[0].message.role, "assistant");
    assert.equal(whole.usage.completion_tokens, 16);
    assert.equal(whole.usage.total_tokens, whole.usage.prompt_tokens + 16);
  },

  async stream() {
    const whole = await client.chat.completions.create(params());
    const stream = await client.chat.completions.create(
      params({ stream: true, stream_options: { include_usage: true } }),
    );
    const chunks = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
    }
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
    assert.equal(text, whole.choices[0].message.content);
    assert.equal(new Set(chunks.map((chunk) => chunk.id)).size, 1);
    assert.deepEqual(chunks.at(-1).choices, []);
    assert.deepEqual(chunks.at(-1).usage, whole.usage);
    assert.equal(chunks.at(-2).choices[0].finish_reason, "length");
  },

  async helper() {
    const final = await client.chat.completions.stream(params({ n: 2, logprobs: true })).finalChatCompletion();
    assert.equal(final.choices.length, 2);
    for (const choice of final.choices) {
      assert.equal(choice.finish_reason, "length");
      assert.equal(utf8(choice.logprobs.content), choice.message.content);
    }
  },

  async logprobs() {
    const whole = await client.chat.completions.create(params({ logprobs: true, top_logprobs: 3 }));
    const entries = whole.choices[0].logprobs.content;
    assert.equal(entries.length, 16);
    assert.equal(utf8(entries), whole.choices[0].message.content);
    assert.ok(entries.every((entry) => entry.logprob <= 0 && entry.top_logprobs.length === 3));
  },

  async errors() {
    await assert.rejects(client.chat.completions.create(params({ temperature: 3 })), (error) => {
      assert.ok(error instanceof BadRequestError);
      assert.equal(error.param, "temperature");
      assert.equal(error.code, "invalid_value");
      return true;
    });
    await assert.rejects(client.chat.completions.create(params({ model: "gpt-9" })), NotFoundError);
    const stranger = new OpenAI({ baseURL, apiKey: "wrong", maxRetries: 0 });
    await assert.rejects(stranger.models.list(), AuthenticationError);
    assert.equal((await client.models.list()).data[0].id, model);
  },

  async abort() {
    const stream = await client.chat.completions.create(params({ stream: true, max_completion_tokens: 8000 }));
    let seen = 0;
    for await (const chunk of stream) {
      seen += chunk.choices.length;
      if (seen === 5) {
        stream.controller.abort();
      }
    }
    const waiting = new AbortController();
    setTimeout(() => waiting.abort(), 200);
    await assert.rejects(
      client.chat.completions.create(params({ max_completion_tokens: 8000 }), { signal: waiting.signal }),
      APIUserAbortError,
    );
  },
};

for (const [name, check] of Object.entries(checks)) {
  await check();
  console.log("ok " + name);
}
