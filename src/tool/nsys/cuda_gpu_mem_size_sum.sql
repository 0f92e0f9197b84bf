-- Copies, memsets, unified memory: how many bytes
-- needs operations
SELECT bytes AS "Total:mem_B", num AS "Count", 1.0 * bytes / num AS "Avg:mem_B:12", med_bytes AS "Med:mem_B:4",
    min_bytes AS "Min:mem_B:5", max_bytes AS "Max:mem_B:8", stddev_bytes AS "StdDev:mem_B:1", name AS "Operation:name",
    CASE WHEN med_bytes IS NULL THEN 'Med: - where the trace lacks some operations; STINT_GPU_TRACE=N keeps the first N events' END AS "Med:note"
FROM report_memory_sums
ORDER BY bytes DESC, num, name, id
