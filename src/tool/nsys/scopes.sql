-- Scopes as ranges, for what has no single ranges. Calls are no ranges: ranges around them are around what they are
-- around.
CREATE TEMP TABLE report_scope_ranges(scope INTEGER PRIMARY KEY, stat, parent, entered, is_range);
INSERT INTO report_scope_ranges
SELECT c.id, CASE WHEN s.style = 'PushPop' THEN c.stat END, c.parent, c.count + c.running, s.style IS NOT NULL
FROM stint_scopes c JOIN stint_statistics s ON s.id = c.stat;
CREATE INDEX temp.report_scope_ranges_by_parent ON report_scope_ranges(parent);

-- Each scope, and all ranges around it and itself: one within another of its name is there twice.
CREATE TEMP TABLE report_scopes_around AS
WITH RECURSIVE up(scope, at) AS (
    SELECT scope, scope FROM report_scope_ranges
    UNION ALL SELECT up.scope, r.parent FROM up JOIN report_scope_ranges r ON r.scope = up.at WHERE r.parent IS NOT NULL)
SELECT up.scope, r.stat FROM up JOIN report_scope_ranges r ON r.scope = up.at WHERE r.stat IS NOT NULL;
CREATE INDEX temp.report_scopes_around_by_scope ON report_scopes_around(scope);
