private import CPinyinData
package import MPaaSSupport

/// The data file that everything about pinyin reads: mapped and used as it lies there, nothing is parsed
/// (Documentation/PinyinData.md has the format).
public struct PinyinData: Sendable {
  /// The purpose of a part of the file: four letters in the file's table of contents.
  package struct Section: Sendable, Hashable {
    package let tag: UInt32

    /// - Parameter name: Four ASCII letters.
    package init(_ name: StaticString) {
      tag = name.withUTF8Buffer { $0.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    }
  }

  /// The version of the format that this code reads.
  package static let formatVersion: UInt32 = 1

  /// The data that lies in the program itself; a test opens it as any other file.
  public static let builtIn: PinyinData =
    (try? PinyinData(builtInBytes)) ?? PinyinData()

  /// The file's bytes in the program.
  package static var builtInBytes: Bytes {
    Bytes(owner: nil, buffer: UnsafeRawBufferPointer(start: mp_pinyin_data_start(), count: mp_pinyin_data_size()))
  }

  private let sections: [UInt32: Range<Int>]
  private let bytes: Bytes
  /// The readings of each character.
  package let readings: ReadingTable
  /// The simplified character for each traditional one.
  package let folding: FoldingTable
  let words: WordTrie
  let context: ContextTable
  let surnames: WordTrie
  let givenNames: WordTrie
  let persons: WordTrie
  let places: WordTrie
  /// The table that tells daily speech from an encyclopedia.
  let register: RegisterTable

  /// An empty stand-in for the data in a program that was built without it.
  private init() {
    sections = [:]
    bytes = .empty
    readings = .empty
    folding = .empty
    words = .empty
    context = .empty
    surnames = .empty
    givenNames = .empty
    persons = .empty
    places = .empty
    register = .empty
  }

  /// Opens a data file: the header and the table of contents are checked, the rest is read where it lies.
  package init(_ bytes: Bytes) throws(PinyinError) {
    do {
      var cursor = ByteCursor(bytes.buffer)
      guard try cursor.u32() == 0x5950_504D else { throw PinyinError(.notData) }  // "MPPY"
      let version = try cursor.u32()
      guard version == Self.formatVersion else {
        throw PinyinError(.dataVersion, ["found": "\(version)", "read": "\(Self.formatVersion)"])
      }
      let count = try cursor.u32()
      _ = try cursor.u32()
      var sections: [UInt32: Range<Int>] = [:]
      for _ in 0..<count {
        let tag = try cursor.u32()
        let start = Int(try cursor.u32())
        let size = Int(try cursor.u32())
        guard start.isMultiple(of: 16), start <= bytes.count, size <= bytes.count - start else {
          throw PinyinError(.dataDamaged, ["offset": "\(cursor.offset)"])
        }
        sections[tag] = start..<start + size
      }
      self.sections = sections
      self.bytes = bytes
      /// A section by its reader, which looks at its header only; without one, what stands for it.
      func table<Table>(_ name: StaticString, _ empty: Table?, _ open: (Bytes) -> Table?) throws -> Table {
        let range = sections[Section(name).tag]
        guard let range else {
          guard let empty else { throw PinyinError(.dataDamaged, ["offset": "0"]) }
          return empty
        }
        guard let slice = bytes.slice(at: UInt64(range.lowerBound), size: UInt64(range.count)),
          let table = open(slice)
        else { throw PinyinError(.dataDamaged, ["offset": "\(range.lowerBound)"]) }
        return table
      }
      readings = try table("READ", nil, ReadingTable.init)
      folding = try table("TRAD", .empty, FoldingTable.init)
      words = try table("WORD", .empty, WordTrie.init)
      context = try table("CTXT", .empty, ContextTable.init)
      surnames = try table("NAME", .empty, WordTrie.init)
      givenNames = try table("GIVN", .empty, WordTrie.init)
      persons = try table("PERS", .empty, WordTrie.init)
      places = try table("PLAC", .empty, WordTrie.init)
      register = try table("DAYS", .empty, RegisterTable.init)
    } catch let error as PinyinError {
      throw error
    } catch {
      throw PinyinError(.dataDamaged, ["offset": "\(bytes.count)"])
    }
  }

  /// The bytes of a section, aligned to 16; nil where the file has none.
  package subscript(section: Section) -> Bytes? {
    sections[section.tag].flatMap { bytes.slice(at: UInt64($0.lowerBound), size: UInt64($0.count)) }
  }
}
