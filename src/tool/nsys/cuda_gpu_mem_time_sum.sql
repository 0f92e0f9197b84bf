-- Copies, memsets, unified memory: how often, how long
-- needs operations
SELECT 100.0 * total / nullif(total(total) OVER (), 0) AS "Time:ratio_%", total AS "Total Time:dur_ns", num AS "Count",
    1.0 * total / num AS "Avg:dur_ns:12", med AS "Med:dur_ns:4", min AS "Min:dur_ns:5", max AS "Max:dur_ns:8",
    stddev AS "StdDev:dur_ns:1", name AS "Operation:name", median_note(exact) AS "Med:note"
FROM report_memory_sums
ORDER BY total DESC, num, name, id
