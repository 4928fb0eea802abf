-- wrk … -s load.lua -- REQUESTS [STATUS]: sends the requests of a file in turn, from its first to its
-- last and again. A line is a cookie, a target and, for a form, its body, with tabs between them; a form
-- gets a field `once` that no other has. With STATUS each answer's is compared, which costs the client
-- time. Prints requests, those that failed, bytes received, duration, median and 99th percentile in
-- microseconds.

local lines, turn, thread = {}, 0, nil
local run = string.format("%08x%05x", os.time(), math.floor(os.clock() * 1e6) % 0x100000)
wrong, last = 0, 0

function setup(made) thread = made end

function init(arguments)
  for line in io.lines(arguments[1]) do
    local cookie, target, body = line:match("^([^\t]*)\t([^\t]*)\t?(.*)$")
    local headers = {Host = wrk.headers["Host"], ["Accept-Language"] = "en"}
    if cookie ~= "" then headers["Cookie"] = cookie end
    if body == "" then
      lines[#lines + 1] = wrk.format("GET", target, headers)
    else
      headers["Content-Type"] = "application/x-www-form-urlencoded"
      lines[#lines + 1] = {target = target, headers = headers, body = body}
    end
  end
  local expected = tonumber(arguments[2])
  if expected then
    function response(status)
      if status ~= expected then
        wrong = wrong + 1
        last = status
      end
    end
  end
end

function request()
  turn = turn + 1
  local line = lines[(turn - 1) % #lines + 1]
  if type(line) == "string" then return line end
  local body = string.format("%s&once=%s%030d", line.body, run, turn)
  return wrk.format("POST", line.target, line.headers, body)
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  if failed + thread:get("wrong") > 0 then
    print(string.format("%d statuses above 399, %d other than expected (the last: %d), "
      .. "%d times not connected, %d reads, %d writes, %d time-outs", errors.status,
      thread:get("wrong"), thread:get("last"), errors.connect, errors.read, errors.write,
      errors.timeout))
  end
  print(string.format("figures %d %d %d %d %d %d", summary.requests, failed + thread:get("wrong"),
    summary.bytes, summary.duration, latency:percentile(50), latency:percentile(99)))
end
