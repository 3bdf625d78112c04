extension RPCResponse {
  /// The content as bytes.
  public var data: [UInt8] { body }

  /// The content as text; what is no UTF-8 becomes U+FFFD.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The content as JSON, with each number as it was written.
  ///
  /// - Throws: `RPCError` `rpc-answer-malformed`, with the place of the first byte that cannot be there.
  public func json() throws(RPCError) -> RPCValue {
    do throws(RPCValueError) {
      return try RPCValue(body)
    } catch {
      throw RPCError(.answerMalformed, ["reason": error.description])
    }
  }

  /// The content as a value of a type, read from JSON.
  ///
  /// An empty body stands for `null`.
  ///
  /// - Throws: `RPCError` `rpc-answer-malformed`.
  public func value<Value: Decodable>(_ type: Value.Type = Value.self) throws(RPCError) -> Value {
    let value = body.isEmpty ? RPCValue.null : try json()
    do {
      return try value.decoded(type)
    } catch {
      throw RPCError(.answerMalformed, ["reason": RPCDecodingText.reason(error)])
    }
  }
}
