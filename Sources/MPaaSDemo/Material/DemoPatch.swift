/// The patch of the sample app: its Lua, and the test of it.
enum DemoPatch {
  static let files = ["fix/main.lua": source, "fix/main_test.lua": test]

  private static let source = """
    -- A block order goes through more levels than the book has.
    patch("Book.accepted", function(quantity, participant)
      if quantity >= 10000 then
        log("block order of " .. quantity .. " pieces turned away")
        return 0
      end
      return ORIG(quantity, participant)
    end)

    """

  private static let test = """
    test("block orders are turned away", function()
      expect(call("Book.accepted", 1000000, 7)):equals(0)
      expect(calls("Book.accepted")):equals(0)
    end)

    test("what the book can bear is accepted as before", function()
      original("Book.accepted", function(quantity, participant) return quantity end)
      expect(call("Book.accepted", 9999, 1)):equals(9999)
    end)

    """
}
