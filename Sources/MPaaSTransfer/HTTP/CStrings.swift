/// Hands over the texts as C strings that live as long as the call.
package func withCStrings(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Void) {
  let copies = texts.map { text in
    let bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.utf8.count + 1)
    _ = bytes.initialize(from: text.utf8CString)
    return bytes
  }
  defer { copies.forEach { $0.deallocate() } }
  body(copies.map { UnsafePointer($0.baseAddress) })
}
