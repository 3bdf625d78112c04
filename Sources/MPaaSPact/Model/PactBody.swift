import MPaaSSupport

/// The body of a request, a response or a message.
package struct PactBody: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    /// Nothing is said about a body.
    case missing
    /// There must be none.
    case null
    /// A body of no bytes.
    case empty
    case bytes([UInt8])
  }

  package var content: Content
  /// The media type that the contract states; nil where headers or the bytes tell it.
  package var contentType: MediaType?
  /// Tells whether a format of version 4 marks the content as text or as bytes; nil where it does not.
  package var isText: Bool?

  package init(_ content: Content = .missing, contentType: MediaType? = nil) {
    self.content = content
    self.contentType = contentType
  }

  /// Creates a body of bytes; none make an empty one.
  package init(_ bytes: [UInt8], contentType: MediaType? = nil) {
    self.init(bytes.isEmpty ? .empty : .bytes(bytes), contentType: contentType)
  }

  package init(_ text: String, contentType: MediaType? = nil) {
    self.init(Array(text.utf8), contentType: contentType)
  }

  package var bytes: [UInt8] {
    if case .bytes(let bytes) = content { bytes } else { [] }
  }

  package var isPresent: Bool {
    if case .bytes = content { true } else { false }
  }

  /// The media type: the one of the header, else the one that the contract states, else the one that the bytes look like.
  package func mediaType(headers: [PactField]) -> MediaType {
    if let header = headers.header("content-type")?.first, let type = MediaType(header) { return type }
    return contentType ?? MediaType(sniffing: bytes)
  }
}
