-- Calls of the C library in which threads may wait
-- needs os_calls
SELECT 100.0 * total / nullif(total(total) OVER (), 0) AS "Time:ratio_%", total AS "Total Time:dur_ns", num AS "Num Calls",
    1.0 * total / num AS "Avg:dur_ns:12", med AS "Med:dur_ns:4", min AS "Min:dur_ns:5", max AS "Max:dur_ns:8",
    stddev AS "StdDev:dur_ns:1", name AS "Name:name", median_note(exact) AS "Med:note"
FROM report_statistic_sums WHERE calls = 'os'
ORDER BY total DESC, num, name, id
