/**
 * Plumbline's own endpoints, those below {@code /api} that are no history: keys and users, run configs and what they
 * cost, suites, targets, runs, comparisons and schedules. Each room below does the work; here are its paths and JSON.
 */
package dev.plumbline.api;
