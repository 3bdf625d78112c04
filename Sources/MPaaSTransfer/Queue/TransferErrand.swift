import MPaaSLock
import MPaaSSupport
import MPaaSTime

/// One attempt at a transfer: what it knows, what it may ask of servers, and where it writes down how far it is.
final class TransferErrand: Sendable {
  /// The reason for the end.
  enum End: Sendable { case paused, cancelled, rule, stopped }

  let id: TransferID
  let transfer: Transfer
  let queue: TransferQueue
  /// Tells whether it removes what the server has of an upload that was cancelled.
  let isTermination: Bool
  private let current: Lock<TransferRecord>
  private let end = Lock<End?>(nil)
  private let watch = Lock<(looked: TimeSpan, written: TimeSpan, told: TimeSpan, meter: TransferMeter)>(
    (.zero, .zero, .zero, TransferMeter()))
  private let acknowledged: Lock<Int64>
  private let mayGoOn: @Sendable () -> Bool
  private let tell: @Sendable (TransferEvent) -> Void
  /// Bytes that the other side had when the attempt began.
  let beginning: Int64

  init(
    _ record: TransferRecord, _ queue: TransferQueue, mayGoOn: @escaping @Sendable () -> Bool,
    tell: @escaping @Sendable (TransferEvent) -> Void
  ) {
    id = record.id
    transfer = record.transfer
    self.queue = queue
    self.mayGoOn = mayGoOn
    self.tell = tell
    isTermination = record.state == .cancelled
    beginning = record.moved
    acknowledged = Lock(record.moved)
    current = Lock(record)
  }

  var record: TransferRecord { current.withLock { $0 } }
  var wasEnded: End? { end.withLock { $0 } }

  /// Tells it to end at the next occasion.
  func stop(_ reason: End) { end.withLock { $0 = $0 ?? reason } }

  /// Tells whether it is to end; asked often.
  var isEnded: Bool {
    if wasEnded != nil { return true }
    let now = queue.times.now()
    let isTime = watch.withLock { watch in
      guard now - watch.looked >= .milliseconds(200) else { return false }
      watch.looked = now
      return true
    }
    guard isTime else { return false }
    if !mayGoOn() {
      stop(.rule)
    } else if !isTermination, let state = try? queue.state(of: id), state != .active {
      // A wish that came by the file, perhaps of another process.
      stop(state == .cancelled ? .cancelled : .paused)
    }
    return wasEnded != nil
  }

  /// Changes what the queue knows of the transfer, and writes it down.
  func note(_ change: (inout TransferRecord) -> Void) throws(TransferFault) {
    let record = current.withLock { record in
      change(&record)
      record.updated = queue.wall()
      return record
    }
    do throws(TransferError) {
      try queue.write(record, from: [.active])
    } catch {
      throw .lasting(error)
    }
  }

  /// Changes what is known, without writing it down.
  func change(_ body: (inout TransferRecord) -> Void) { current.withLock { body(&$0) } }

  /// Says how many bytes the other side has; written down now and then.
  func moved(_ bytes: Int64) {
    let now = queue.times.now()
    let record = current.withLock { record in
      record.moved = bytes
      record.updated = queue.wall()
      return record
    }
    let (isWritten, progress) = watch.withLock { watch -> (Bool, TransferProgress?) in
      let isWritten = now - watch.written >= .seconds(1)
      if isWritten { watch.written = now }
      guard now - watch.told >= .milliseconds(100) || record.moved == record.size else { return (isWritten, nil) }
      watch.told = now
      let rate = watch.meter.rate(bytes, at: now)
      return (isWritten, TransferProgress(moved: bytes, size: record.size, rate: rate))
    }
    if isWritten { _ = try? queue.write(record, from: [.active]) }
    if let progress { tell(.progress(id, progress)) }
  }

  /// Says how many bytes the other side certainly has.
  func acknowledge(_ bytes: Int64) throws(TransferFault) {
    acknowledged.withLock { $0 = bytes }
    moved(bytes)
  }

  /// Bytes that the other side certainly has.
  var certain: Int64 { acknowledged.withLock { $0 } }

  func parts() throws(TransferFault) -> [TransferStore.Part] {
    do throws(TransferError) {
      return try queue.with { [id] store throws(TransferError) in try store.parts(id) }
    } catch {
      throw .lasting(error)
    }
  }

  func put(_ part: TransferStore.Part) throws(TransferFault) {
    do throws(TransferError) {
      try queue.with { [id] store throws(TransferError) in try store.put(part, of: id) }
    } catch {
      throw .lasting(error)
    }
  }

  func removeParts() throws(TransferFault) {
    do throws(TransferError) {
      try queue.with { [id] store throws(TransferError) in try store.removeParts(id) }
    } catch {
      throw .lasting(error)
    }
  }

  /// A call with the headers that the transfer and the queue add to each.
  func call(
    _ method: String, _ url: String, _ headers: [(name: String, value: String)] = [], body: [HTTPCall.Piece]? = nil
  ) -> HTTPCall {
    var all = headers
    let names = Set(headers.map { $0.name.lowercased() })
    for (name, value) in queue.headers(for: url, transfer).sorted(by: { $0.key < $1.key })
    where !names.contains(name.lowercased()) {
      all.append((name, value))
    }
    var call = HTTPCall(method, url, headers: all, body: body)
    call.limits.redirects = body == nil ? 8 : 4
    call.limits.stall = .seconds(60)
    call.limits.slowBytes = 60 * 16
    call.isCancelled = { [self] in isEnded }
    call.passing = { [queue] bytes in queue.limiter.wait(for: bytes.count) }
    return call
  }

  /// Does a call; any answer is one.
  func exchange(_ call: HTTPCall) throws(TransferFault) -> HTTPReply {
    do throws(HTTPError) {
      return try queue.client.exchange(call)
    } catch {
      throw TransferFault(error)
    }
  }
}

/// Bytes a second, over the last seconds.
struct TransferMeter {
  private var marks: [(bytes: Int64, at: TimeSpan)] = []

  /// Takes how many bytes there are now; nil until there is something to compare with.
  mutating func rate(_ bytes: Int64, at now: TimeSpan) -> Double? {
    if let last = marks.last, bytes < last.bytes { marks = [] }
    marks.append((bytes, now))
    marks.removeAll { now - $0.at > .seconds(5) && $0.at != now }
    guard let first = marks.first, now - first.at >= .milliseconds(200) else { return nil }
    return Double(bytes - first.bytes) * 1000 / Double((now - first.at).milliseconds)
  }
}

extension TransferErrand {
  /// Says how many bytes there are in all.
  func setSize(_ bytes: Int64) { change { $0.size = bytes } }
}
