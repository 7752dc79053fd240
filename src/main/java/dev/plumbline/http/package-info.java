/**
 * What all endpoints share: bodies read within a budget, fields and parameters whose refusal names them, lists, streams,
 * and errors in OpenAI's shape. Knows none of the endpoints.
 */
package dev.plumbline.http;
