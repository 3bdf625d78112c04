/// `  esr: 0x56000080  Address size fault`: a register in the rows of a thread state.
struct AppleRegister {
  let name: String
  let value: UInt64
  /// Words behind the value.
  var words: String?

  /// All registers of a row; what is none is passed over.
  static func row(_ line: TextBytes) -> [AppleRegister] {
    var registers: [AppleRegister] = []
    var rest = line
    while let colon = rest.range(of: ": 0x") {
      let before = rest[..<colon.lowerBound]
      let name = before.split(separator: 0x20).last ?? before
      note(before.dropLast(name.count), &registers)
      rest = rest[(colon.lowerBound + 2)...]
      guard let value = rest.takeAddress() else { break }
      registers.append(AppleRegister(name: name.text, value: value))
    }
    note(rest, &registers)
    return registers
  }

  private static func note(_ text: TextBytes, _ registers: inout [AppleRegister]) {
    guard !text.isBlank, let last = registers.indices.last else { return }
    registers[last].words = text.trimmed.text
  }

  /// Apple's word for the state that a title such as `Thread 0 crashed with ARM Thread State (64-bit):` names.
  static func flavor(_ title: String) -> String {
    let title = Array(title.utf8)[...]
    let is64 = title.range(of: "64") != nil
    if title.range(of: "ARM") != nil { return is64 ? "ARM_THREAD_STATE64" : "ARM_THREAD_STATE" }
    if title.range(of: "X86") != nil { return is64 ? "x86_THREAD_STATE" : "x86_THREAD_STATE32" }
    return ""
  }
}
