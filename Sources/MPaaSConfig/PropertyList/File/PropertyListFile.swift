package import MPaaSSupport

/// A property list of any format as it stands in its file.
package struct PropertyListFile: Sendable {
  /// The file's name in errors.
  package let file: String
  package let format: PropertyListFormat
  package let bytes: [UInt8]
  package let root: PropertyListValue
  private let source: Source
  private let isTagged: Bool

  private enum Source: Sendable {
    case xml(PropertyListDocument)
    case binary
    case json(PropertyListText)
    case openstep(OldStyleDocument)
  }

  /// - Parameters:
  ///   - format: nil to tell it by the content.
  ///   - isTagged: Whether `{"$data": …}` and its like in JSON stand for the types that it lacks.
  /// - Throws: `ConfigError` with line and column, or the offset in a binary file, of the first thing that cannot stand
  ///   there.
  package init(
    _ bytes: [UInt8], file: String, format: PropertyListFormat? = nil, isTagged: Bool = false
  ) throws(ConfigError) {
    let format = format ?? PropertyListFormat(detecting: bytes, file: file)
    self.file = file
    self.format = format
    self.bytes = bytes
    self.isTagged = isTagged
    switch format {
    case .xml:
      let document = try PropertyListDocument(bytes, file: file)
      source = .xml(document)
      root = document.root
    case .binary:
      source = .binary
      root = try BinaryPropertyListReader.read(bytes, file: file)
    case .json:
      let text = try PropertyListText(bytes, file: file)
      source = .json(text)
      root = try PropertyListJSONReader.read(text.utf8, file: file, isTagged: isTagged)
    case .openstep:
      let isTable = file.lowercased().hasSuffix(".strings")
      let document = try OldStyleDocument(bytes, file: file, form: isTable ? .strings : .any)
      source = .openstep(document)
      root = document.root
    }
  }

  /// The place of a value that was read from this file.
  package func place(of value: PropertyListValue) -> Place { place(at: value.span.lowerBound) }

  /// The place of a member's key.
  package func place(of member: PropertyListMember) -> Place { place(at: member.keySpan.lowerBound) }

  /// The place of a leaf's content: `<string>HERE`.
  package func placeInside(_ value: PropertyListValue) -> Place {
    place(at: value.inside?.lowerBound ?? value.span.lowerBound)
  }

  private func place(at offset: Int) -> Place {
    let text: [UInt8]
    switch source {
    case .binary: return .bytes(file: file, offset: UInt64(max(offset, 0)))
    case .xml(let document): text = document.text.utf8
    case .json(let json): text = json.utf8
    case .openstep(let document): text = document.text.utf8
    }
    let (line, column) = text.withUnsafeBufferPointer { TextLines.position(of: offset, in: $0) }
    return .text(file: file, line: line, column: column)
  }

  /// The file with another value: text is changed only where the values differ, and keeps comments, order and layout; a
  /// binary file is written anew.
  ///
  /// - Throws: `plist-edit` where what was written, read again, is not the value.
  package func revised(to value: PropertyListValue) throws(ConfigError) -> PropertyListFile {
    guard value != root else { return self }
    let wanted = value.expressed(in: format, isTyped: isTyped)
    guard wanted != root else { return self }
    let bytes: [UInt8]
    switch source {
    case .binary: bytes = BinaryPropertyListWriter.document(wanted)
    case .xml(let document): bytes = try revised(XMLPropertyListSyntax(document), document.text, wanted)
    case .json(let text):
      let syntax = JSONPropertyListSyntax(text.utf8, root: root, file: file, isTagged: isTagged)
      bytes = try revised(syntax, text, wanted)
    case .openstep(let document): bytes = try revised(OldStyleSyntax(document), document.text, wanted)
    }
    let again = try PropertyListFile(bytes, file: file, format: format, isTagged: isTagged)
    guard again.root == wanted else { throw ConfigError(.plistEdit, ["file": file], at: .file(file)) }
    return again
  }

  /// Tells whether the format, as this file uses it, has numbers, dates and data.
  private var isTyped: Bool {
    switch source {
    case .xml, .binary: true
    case .json: isTagged
    case .openstep(let document): document.isTyped
    }
  }

  private func revised(
    _ syntax: some PropertyListSyntax, _ text: PropertyListText, _ value: PropertyListValue
  ) throws(ConfigError) -> [UInt8] {
    var revision = PropertyListRevision(syntax)
    try revision.revise(root, to: value)
    return PropertyListText(utf8: PropertyListSplice.apply(revision.splices, to: text.utf8), encoding: text.encoding)
      .bytes
  }

  /// The bytes of a new file.
  ///
  /// - Parameter isTagged: Whether JSON marks the types that it lacks, and the old style writes them as GNUstep does.
  package static func bytes(
    of value: PropertyListValue, as format: PropertyListFormat, isTagged: Bool = false, file: String
  ) throws(ConfigError) -> [UInt8] {
    let value = value.expressed(in: format, isTyped: format == .xml || format == .binary || isTagged)
    switch format {
    case .xml: return try PropertyListWriter.document(value, file: file)
    case .binary: return BinaryPropertyListWriter.document(value)
    case .json: return try PropertyListJSONWriter(file: file, isTagged: isTagged).text(value) + [0x0a]
    case .openstep:
      var writer = OldStyleWriter()
      writer.types = isTagged ? .gnustep : .words
      return Array((try writer.text(value)).utf8) + [0x0a]
    }
  }
}
