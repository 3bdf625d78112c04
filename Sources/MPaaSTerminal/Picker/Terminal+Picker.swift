import Dispatch
import MPaaSSupport
import Synchronization

extension Terminal {
  /// Lets the person at the terminal pick, as they type.
  ///
  /// The list is on the terminal itself, so standard input may bring the data and standard output takes the result.
  ///
  /// - Parameter load: Reads what is picked from, while keys are taken already.
  /// - Throws: `picker-no-terminal` where there is none; what `load` throws.
  package func pick(
    _ options: PickerOptions, from load: @escaping @Sendable () throws -> PickerSource
  ) throws -> PickerOutcome {
    guard settings.allowsInput else { throw Diagnostic("picker-no-terminal", exit: .usage) }
    let isInline = options.height != nil
    // Bracketed paste: pasted breaks do not pick. Inline, the cursor is in the first line whenever somebody waits.
    let device: TerminalDevice
    do throws(FileError) {
      device = try TerminalDevice(
        begin: isInline ? "\u{1b}[?2004h" : "\u{1b}[?1049h\u{1b}[?2004h\u{1b}[H",
        end: "\u{1b}[?2004l\u{1b}[0m\u{1b}[?25h" + (isInline ? "\r\u{1b}[J" : "\u{1b}[?1049l"))
    } catch {
      throw Diagnostic("picker-no-terminal", exit: .usage)
    }
    defer { device.leave() }
    var session = PickerSession(device: device, options: options, style: pickerStyle)
    return try session.run(load)
  }
}

/// A picker at a terminal: it waits for keys, draws, and brings in what is loaded.
private struct PickerSession {
  private let device: TerminalDevice
  private let style: TextStyle
  private let options: PickerOptions
  private var state: PickerState
  private var decoder = KeyDecoder()

  init(device: TerminalDevice, options: PickerOptions, style: TextStyle) {
    self.device = device
    self.options = options
    self.style = style
    state = PickerState(options)
  }

  /// Milliseconds until an escape that nothing follows is the Escape key.
  private static let escapeDelay: Int32 = 50

  mutating func run(_ load: @escaping @Sendable () throws -> PickerSource) throws -> PickerOutcome {
    let box = LoadedSource()
    box.start(load, waking: device)
    draw()
    while true {
      if let outcome = try next(box) { return outcome }
    }
  }

  private mutating func next(_ box: LoadedSource) throws -> PickerOutcome? {
    switch device.next(within: decoder.isWaiting ? Self.escapeDelay : nil) {
    case .ended: return .cancelled
    case .bytes(let bytes): if let outcome = handle(decoder.feed(bytes)) { return outcome }
    case .timeout: if let outcome = handle(decoder.flush()) { return outcome }
    case .changed: break
    case .woken:
      if let source = try box.take(), let outcome = state.begin(with: source, rows: rows) { return outcome }
    }
    draw()
    return nil
  }

  private mutating func handle(_ keys: [TerminalKey]) -> PickerOutcome? {
    for key in keys {
      if key == .control("z") {
        device.suspend()
      } else if let outcome = state.handle(key, rows: rows) {
        return outcome
      }
    }
    return nil
  }

  private var height: Int {
    let rows = device.size.rows
    return options.height.map { max(3, min($0, rows)) } ?? rows
  }

  /// The number of rows of the list that are seen.
  private var rows: Int { max(height - 2, 1) }

  private mutating func draw() {
    state.find()
    state.show(rows)
    let (lines, cursor) = state.screen(columns: device.size.columns, rows: height)
    // Each line is cleared before it is written: behind its last column there may be none to clear.
    var text = "\u{1b}[?25l" + (options.height == nil ? "\u{1b}[H" : "\r")
    text += lines.map { "\u{1b}[2K" + style.render($0.visible) }.joined(separator: "\r\n")
    text +=
      lines.count < height ? "\r\n\u{1b}[J\u{1b}[\(lines.count)A" : lines.count > 1 ? "\u{1b}[\(lines.count - 1)A" : ""
    text += "\r" + (cursor > 0 ? "\u{1b}[\(cursor)C" : "") + "\u{1b}[?25h"
    device.write(text)
  }
}

/// The place where the thread that loads leaves what it has loaded.
private final class LoadedSource: Sendable {
  private let result = Mutex<Result<PickerSource, any Error>?>(nil)

  /// Loads in a thread of its own, which tells the device when it is done.
  func start(_ load: @escaping @Sendable () throws -> PickerSource, waking device: TerminalDevice) {
    // Not a task: the thread that waits for keys may be the only one that tasks have.
    DispatchQueue.global().async {
      let loaded = Result { try load() }
      self.result.withLock { $0 = loaded }
      device.wake()
    }
  }

  /// The loaded source; nil where that was taken already.
  func take() throws -> PickerSource? {
    let result = result.withLock { result in
      defer { result = nil }
      return result
    }
    return try result?.get()
  }
}
