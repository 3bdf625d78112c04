import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols

/// Frames as KSCrash has them: addresses as numbers, the symbol's name as the linker has it.
struct KSCrashFrames {
  private let images: [CrashReport.Image]
  private let table: ImageTable
  private let demangler = Demangler()

  init(_ images: [CrashReport.Image]) {
    self.images = images
    table = ImageTable(images)
  }

  func frame(_ object: JSONValue.Object) -> CrashReport.Frame {
    var members = JSONMembers(object)
    var frame = CrashReport.Frame(address: members.address("instruction_addr") ?? 0)
    frame.image = table.index(of: frame.address)
    if let image = frame.image.map({ images[$0] }) {
      if members["object_name"]?.string == image.name { members.drop("object_name") }
      if JSONMembers.address(members["object_addr"]) == image.base { members.drop("object_addr") }
    }
    frame.calls = (members.array("inlined") ?? []).compactMap { value in
      var inlined = JSONMembers(value.object)
      return call(&inlined, at: frame.address, isInlined: true)
    }
    if let call = call(&members, at: frame.address, isInlined: false) { frame.calls.append(call) }
    if !members.rest.isEmpty { frame.extra["kscrash"] = .object(members.rest) }
    return frame
  }

  private func call(_ members: inout JSONMembers, at address: UInt64, isInlined: Bool) -> CrashReport.Call? {
    // A symbol that the system keeps to itself is no name.
    guard members["symbol_name"]?.string != "<redacted>", let symbol = members.string("symbol_name") else { return nil }
    var call = CrashReport.Call(function: demangler.demangle(symbol))
    if call.function != symbol { call.symbol = symbol }
    if let start = JSONMembers.address(members["symbol_addr"]), start <= address, start > 0 {
      call.offset = address - start
      members.drop("symbol_addr")
    }
    call.file = members.string("file")
    call.line = members.integer("line")
    call.isInlined = isInlined
    return call
  }

  /// The members of a call, as `call` reads them.
  static func members(of call: CrashReport.Call, at address: UInt64) -> JSONValue.Object {
    var members: JSONValue.Object = ["symbol_name": .string(call.symbol ?? call.function)]
    if let offset = call.offset, offset <= address { members["symbol_addr"] = JSONValue(address - offset) }
    members["file"] = call.file.map(JSONValue.string)
    members["line"] = call.line.map { JSONValue($0) }
    return members
  }

  /// `MyException` for `11MyException`, the name of a type as `typeid` gives it.
  static func demangledType(_ name: String) -> String {
    let whole = "_ZTI" + name
    let text = Demangler().demangle(whole)
    let prefix = "typeinfo for "
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : name
  }
}
