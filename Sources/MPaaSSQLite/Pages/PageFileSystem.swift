import CSQLite

/// The file system of one connection to an encrypted database; open files keep it alive.
final class PageFileSystem {
  private let pointer: OpaquePointer
  /// The key that files are opened with.
  let key: DatabaseKey

  /// - Parameter creates: Whether it writes the first pages of a database that has no name yet.
  init?(_ key: DatabaseKey, creates: Bool = false) {
    let keyring = Unmanaged.passRetained(Keyring(key))
    guard let pointer = mp_pages_create(Self.cipher(keyring.toOpaque()), creates ? 1 : 0) else { return nil }
    (self.pointer, self.key) = (pointer, key)
  }

  deinit { mp_pages_release(pointer) }

  /// The name that a connection is opened with.
  var name: String { String(cString: mp_pages_name(pointer)) }

  /// The last failure; nil where there was none since the one that was told.
  func failure() -> Failure? {
    let failure = mp_pages_failure(pointer)
    guard let outcome = PageKeys.Outcome(rawValue: failure.outcome), outcome != .done else { return nil }
    let part: Failure.Part = failure.place.part == UInt64(MP_PART_PAGE) ? .page : .log
    return Failure(outcome: outcome, part: part, number: failure.place.number)
  }

  /// The part of a file that could not be read or written.
  struct Failure {
    enum Part { case page, log }

    let outcome: PageKeys.Outcome
    let part: Part
    /// The page or the frame; 0 for the header.
    let number: UInt64
  }

  /// The key, as C's functions hold it.
  private final class Keyring {
    let key: DatabaseKey

    init(_ key: DatabaseKey) { self.key = key }
  }

  private static func cipher(_ context: UnsafeMutableRawPointer) -> mp_page_cipher {
    mp_page_cipher(
      context: context,
      open_keys: { context, header, keys in
        guard let context, let header, let keys else { return PageKeys.Outcome.failed.rawValue }
        let keyring = Unmanaged<Keyring>.fromOpaque(context).takeUnretainedValue()
        switch PageKeys.open(keyring.key, PageFileSystem.page(header)) {
        case .success(let made):
          keys.pointee = Unmanaged.passRetained(made).toOpaque()
          return PageKeys.Outcome.done.rawValue
        case .failure(let failure): return failure.outcome.rawValue
        }
      },
      reload: { keys, header in
        guard let keys, let header else { return PageKeys.Outcome.failed.rawValue }
        return PageFileSystem.keys(keys).reload(PageFileSystem.page(header)).rawValue
      },
      close_keys: { keys in if let keys { Unmanaged<PageKeys>.fromOpaque(keys).release() } },
      seal: { keys, place, plain, size, sealed in
        guard let keys, let sealed else { return PageKeys.Outcome.failed.rawValue }
        let bytes = UnsafeRawBufferPointer(start: plain, count: Int(size))
        return PageFileSystem.keys(keys).seal(bytes, for: place, to: sealed).rawValue
      },
      open: { keys, place, sealed, size, plain in
        guard let keys, let sealed, let plain else { return PageKeys.Outcome.failed.rawValue }
        // Nothing writes to the bytes: `Data` only asks for memory that could be written.
        let bytes = UnsafeMutableRawPointer(mutating: sealed)
        return PageFileSystem.keys(keys).open(bytes, Int(size), for: place, to: plain).rawValue
      },
      release: { context in if let context { Unmanaged<Keyring>.fromOpaque(context).release() } })
  }

  private static func keys(_ pointer: UnsafeMutableRawPointer) -> PageKeys {
    Unmanaged<PageKeys>.fromOpaque(pointer).takeUnretainedValue()
  }

  private static func page(_ bytes: UnsafePointer<UInt8>) -> [UInt8] {
    Array(UnsafeBufferPointer(start: bytes, count: DatabaseHeader.size))
  }
}
