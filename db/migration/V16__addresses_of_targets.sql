-- Who may read runs and verdicts need not know where targets are: their facts no longer say it. Quotes within a text are
-- escaped in JSON, so that nothing but the fact itself is found.
UPDATE run SET target = regexp_replace(target::text, '("facts"\s*:\s*\{\s*)"url"\s*:\s*"[^"\\]*"\s*,?\s*', '\1')::json
    WHERE target_id IS NOT NULL;
UPDATE recall_comparison
    SET report = regexp_replace(report, '("facts"\s*:\s*\{\s*)"url"\s*:\s*"[^"\\]*"\s*,?\s*', '\1', 'g')
    WHERE report IS NOT NULL AND (baseline_target IS NOT NULL OR candidate_target IS NOT NULL);
