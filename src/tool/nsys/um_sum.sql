-- Unified memory by virtual address: bytes that moved, and page faults
-- needs events unified
.read faults.sql
SELECT printf('0x%X', address) AS "Virtual Address:text", nullif(sum(htod), 0) AS "HtoD Migration size:mem_B",
    nullif(sum(dtoh), 0) AS "DtoH Migration size:mem_B", nullif(sum(faults), 0) AS "CPU Page Faults::2",
    nullif(sum(device_faults), 0) AS "GPU Page Faults::1",
    1e3 * (sum(htod) + sum(dtoh)) / nullif(sum(ns), 0) AS "Migration Throughput:thru_MB:3", sum(ns) AS "total:rest"
FROM report_unified WHERE address <> 0 GROUP BY address
ORDER BY coalesce(1e3 * (sum(htod) + sum(dtoh)) / nullif(sum(ns), 0), 0) DESC, address < 0, address
