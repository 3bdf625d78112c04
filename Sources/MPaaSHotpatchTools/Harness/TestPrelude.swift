/// The functions that files of tests may use, written in Lua: `test`, `expect`, `original`.
enum TestPrelude {
  static let text = """
    local originals = {}

    local function shown(value, depth)
      if type(value) == "string" then return string.format("%q", value) end
      if type(value) ~= "table" or (depth or 0) > 4 then return tostring(value) end
      local parts = {}
      for key, member in pairs(value) do
        parts[#parts + 1] = (type(key) == "number" and "" or tostring(key) .. " = ") .. shown(member, (depth or 0) + 1)
      end
      return "{" .. table.concat(parts, ", ") .. "}"
    end

    local function same(one, other, depth)
      if one == other then return true end
      if type(one) ~= "table" or type(other) ~= "table" or depth > 32 then return false end
      for key, member in pairs(one) do if not same(member, other[key], depth + 1) then return false end end
      for key in pairs(other) do if one[key] == nil then return false end end
      return true
    end

    function original(name, body) originals[name] = body end

    function __original(name, ...)
      local body = originals[name]
      if body == nil then return {known = false} end
      return {known = true, value = body(...)}
    end

    function test(name, body)
      harness.begin(name)
      local passed, message = pcall(body)
      originals = {}
      harness.finish(passed, passed and "" or tostring(message))
    end

    function expect(value)
      local function check(holds, words) if not holds then error("expected " .. shown(value) .. words, 3) end end
      return {
        equals = function(_, other) check(same(value, other, 0), " to equal " .. shown(other)) end,
        differs = function(_, other) check(not same(value, other, 0), " to differ from " .. shown(other)) end,
        near = function(_, other, by)
          check(type(value) == "number" and math.abs(value - other) <= (by or 1e-9), " to be near " .. shown(other))
        end,
        fails = function(_, pattern)
          local passed, message = pcall(value)
          value = passed and "no error" or tostring(message)
          check(not passed and (not pattern or value:find(pattern)), " to be an error with " .. shown(pattern))
        end,
      }
    end
    """
}
