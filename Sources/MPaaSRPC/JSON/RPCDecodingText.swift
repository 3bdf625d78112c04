/// Errors of decoding in a line for developers, with the path of the value.
enum RPCDecodingText {
  static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      return line(context, [])
    case .keyNotFound(let key, let context): return line(context, [key])
    @unknown default: return "\(error)"
    }
  }

  private static func line(_ context: DecodingError.Context, _ more: [any CodingKey]) -> String {
    let path = (context.codingPath + more).map { $0.intValue == nil ? "." + $0.stringValue : $0.stringValue }
    return "$\(path.joined()): \(context.debugDescription)"
  }
}
