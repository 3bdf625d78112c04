import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The clients in front of the proxies.
enum Client {
  /// Prints bytes, seconds and Gbit/s of streams that send as much as they can.
  static func throughput(_ address: String, seconds span: Int, connections: Int) throws {
    let total = Atomic<Int>(0)
    let start = seconds()
    try inParallel(connections) { _ in
      let socket = try Socket(to: address)
      defer { socket.end() }
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
      defer { block.deallocate() }
      block.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "S"))
      let end = start + Double(span)
      while seconds() < end { guard socket.write(UnsafeRawBufferPointer(block)) else { throw Failure("send") } }
      socket.finish()
      var count: UInt64 = 0
      let read = withUnsafeMutableBytes(of: &count) { socket.read($0) }
      guard read == 8 else { throw Failure("the count of the server is missing") }
      total.wrappingAdd(Int(count), ordering: .relaxed)
    }
    let (bytes, time) = (Double(total.load(ordering: .relaxed)), seconds() - start)
    print("\(Int(bytes)) \(fixed(time, 3)) \(fixed(bytes * 8 / time / 1e9, 2))")
  }

  /// Prints the 50th and 99th percentile in µs of single bytes that go there and back.
  static func roundTrips(_ address: String, count: Int) throws {
    let socket = try Socket(to: address)
    defer { socket.end() }
    var byte = UInt8(ascii: "E")
    guard withUnsafeBytes(of: &byte, { socket.write($0) }) else { throw Failure("send") }
    var times: [Double] = []
    times.reserveCapacity(count)
    for round in 0..<count + 1000 {
      let start = seconds()
      guard withUnsafeBytes(of: &byte, { socket.write($0) }),
        withUnsafeMutableBytes(of: &byte, { socket.read($0) }) == 1
      else { throw Failure("round trip") }
      if round >= 1000 { times.append((seconds() - start) * 1e6) }
    }
    times.sort()
    print("\(fixed(times.percentile(0.5), 1)) \(fixed(times.percentile(0.99), 1))")
  }

  /// Prints how many connections a second are opened, used for one byte, and closed.
  static func connections(_ address: String, count: Int, atOnce: Int) throws {
    let left = Atomic<Int>(count)
    let start = seconds()
    try inParallel(atOnce) { _ in
      while left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 {
        let socket = try Socket(to: address)
        defer { socket.end() }
        var bytes: (UInt8, UInt8) = (UInt8(ascii: "E"), 1)
        guard withUnsafeBytes(of: &bytes, { socket.write($0) }),
          withUnsafeMutableBytes(of: &bytes.0, { socket.read($0) }) == 1
        else { throw Failure("connection") }
      }
    }
    print(fixed(Double(count) / (seconds() - start), 0))
  }

  /// Opens connections that are used once and then idle, prints `ready`, and ends with its input.
  static func idle(_ address: String, count: Int) throws {
    var sockets: [Socket] = []
    for number in 0..<count {
      let socket = try Socket(to: address)
      var bytes: (UInt8, UInt8) = (UInt8(ascii: "I"), 1)
      guard withUnsafeBytes(of: &bytes, { socket.write($0) }),
        withUnsafeMutableBytes(of: &bytes.0, { socket.read($0) }) == 1
      else { throw Failure("connection \(number)") }
      sockets.append(socket)
    }
    print("ready")
    fflush(nil)
    _ = readLine()
    for socket in sockets { socket.end() }
  }
}

/// Does something on so many threads at once, and throws the first failure.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
  let state = Mutex<(left: Int, failure: (any Error)?)>((count, nil))
  for number in 0..<count {
    detach {
      let result = Result { try body(number) }
      state.withLock { state in
        state.left -= 1
        if case .failure(let error) = result { state.failure = state.failure ?? error }
      }
    }
  }
  while state.withLock({ $0.left }) > 0 { usleep(2000) }
  if let failure = state.withLock({ $0.failure }) { throw failure }
}
