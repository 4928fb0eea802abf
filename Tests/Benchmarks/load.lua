-- wrk … -s load.lua -- [COOKIES]: each request comes from another line of the file of cookies.
-- Prints requests, answers other than 200, and the median and 99th percentile in microseconds.

local cookies, turn = {}, 0

function init(arguments)
  if not arguments[1] then return end
  for line in io.lines(arguments[1]) do cookies[#cookies + 1] = line end
end

function request()
  if #cookies > 0 then
    turn = turn % #cookies + 1
    wrk.headers["Cookie"] = cookies[turn]
  end
  return wrk.format()
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  print(string.format("figures %d %d %d %d %d", summary.requests, failed, summary.duration,
    latency:percentile(50), latency:percentile(99)))
end
