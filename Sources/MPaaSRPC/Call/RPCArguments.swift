/// The arguments of a call as the gateway takes them: a JSON array.
enum RPCArguments {
  static func data(_ arguments: [any Encodable & Sendable], of operation: String) throws(RPCError) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for (index, argument) in arguments.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      do {
        try RPCValue(encoding: argument).append(to: &bytes)
      } catch {
        throw RPCError(.arguments, ["operation": operation, "reason": "\(error)"])
      }
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }
}
