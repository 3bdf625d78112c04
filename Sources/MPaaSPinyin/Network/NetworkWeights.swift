private import CAtomicWord
import MPaaSSupport

/// The weights of the network in single precision, and what each character contributes to its gates.
///
/// A bi-directional LSTM of 32 units each way over embeddings of 64, and two layers behind it. The section NETW has,
/// each part filled up to 16 bytes:
///
/// 1. UInt32: characters, classes, length of the lists; index of begin, end and unknown; 64; 32;
/// 2. UInt32 for each character: its scalar, 0 for what is none;
/// 3. UInt16 for each character: where its list of classes begins, 0 where the network was not trained to read it;
/// 4. UInt16, the lists: a count, then classes; 5. UInt16 for each class: its reading;
/// 6. forward, then backward: bias of the 128 gates (Float), weights of the input 64 × 128 and of the state
///    4 × 32 × 32 (half precision);
/// 7. bias (Float) and weights 64 × 32 of the hidden layer; 8. bias (Float) and weights, classes × 32, of the last one;
/// 9. the embeddings, characters × 64 (half precision).
///
/// Gates come in four groups of eight units, in a group i, f, g, o; they are scaled so that the activations are powers
/// of two: sigmoid is 1 / (1 + 2^s), tanh (1 - 2^s) / (1 + 2^s).
///
/// `@unchecked Sendable`: what is written after the initialiser are the rows, each by the thread that took its state
/// from 0 to 1; others read it only after that thread has set 2.
final class NetworkWeights: @unchecked Sendable {
  typealias Vector = SIMD4<Float>

  /// The number of floats that both directions take from one character.
  static let row = 256

  let begin: Int
  let end: Int
  let unknown: Int
  /// 4 groups × 32 states × 4 gates × 8 units, forward and backward.
  let recurrent: (UnsafePointer<Vector>, UnsafePointer<Vector>)
  /// 64 × 32, behind the bias of 32.
  let hidden: UnsafePointer<Vector>

  private let owner: Bytes
  private let memory: UnsafeMutablePointer<Vector>
  private let input: UnsafePointer<Vector>
  private let outputBias: UnsafePointer<Float>
  private let output: UnsafePointer<UInt16>
  private let embeddings: UnsafePointer<UInt16>
  private let places: UnsafeBufferPointer<UInt16>
  private let lists: UnsafeBufferPointer<UInt16>
  private let readings: UnsafeBufferPointer<UInt16>
  /// Index of each character of the basic plane.
  private let indices: UnsafeMutablePointer<UInt16>
  private let count: Int
  private let rows: UnsafeMutablePointer<Vector>
  private let states: UnsafeMutablePointer<UInt8>

  /// - Parameter section: nil where it has not the size that its numbers demand, or a list leads out of it.
  init?(_ section: Bytes) {
    var cursor = ByteCursor(section.buffer)
    func part<Element>(_ type: Element.Type, _ count: Int) -> UnsafeBufferPointer<Element>? {
      let size = count * MemoryLayout<Element>.stride
      guard let raw = try? cursor.bytes(size) else { return nil }
      try? cursor.skip(-size & 15)
      return raw.bindMemory(to: type)
    }
    guard let head = part(UInt32.self, 8), head[6] == 64, head[7] == 32, head.prefix(6).allSatisfy({ $0 < 0x10000 })
    else { return nil }
    let (count, classes, length) = (Int(head[0]), Int(head[1]), Int(head[2]))
    guard let scalars = part(UInt32.self, count), let places = part(UInt16.self, count),
      let lists = part(UInt16.self, length), let readings = part(UInt16.self, classes),
      let bias0 = part(Float.self, 128), let input0 = part(UInt16.self, 64 * 128),
      let recurrent0 = part(UInt16.self, 32 * 128),
      let bias1 = part(Float.self, 128), let input1 = part(UInt16.self, 64 * 128),
      let recurrent1 = part(UInt16.self, 32 * 128),
      let hiddenBias = part(Float.self, 32), let hidden = part(UInt16.self, 64 * 32),
      let outputBias = part(Float.self, classes), let output = part(UInt16.self, classes * 32),
      let embeddings = part(UInt16.self, count * 64),
      head[3...5].allSatisfy({ $0 < head[0] }),
      places.allSatisfy({ place in
        guard place != 0 else { return true }
        guard Int(place) < length else { return false }
        let (start, count) = (Int(place) + 1, Int(lists[Int(place)]))
        return (1...Self.mostClasses).contains(count) && count <= length - start
          && lists[start..<start + count].allSatisfy { $0 < classes }
      }),
      let outputStart = output.baseAddress, let embeddingStart = embeddings.baseAddress,
      let biasStart = outputBias.baseAddress
    else { return nil }

    owner = section
    self.count = count
    (begin, end, unknown) = (Int(head[3]), Int(head[4]), Int(head[5]))
    (self.places, self.lists, self.readings) = (places, lists, readings)
    (self.outputBias, self.output, self.embeddings) = (biasStart, outputStart, embeddingStart)

    indices = .allocate(capacity: 0x10000)
    indices.initialize(repeating: UInt16(unknown), count: 0x10000)
    for (index, scalar) in scalars.enumerated() where scalar != 0 && scalar < 0x10000 {
      indices[Int(scalar)] = UInt16(index)
    }

    // Input: bias of both directions (64 vectors), then for each of 64 the weights of both; state; hidden.
    memory = .allocate(capacity: 64 + 64 * 64 + 2 * 1024 + 8 + 512)
    var target = memory
    func copy(_ floats: UnsafeBufferPointer<Float>) {
      for start in stride(from: 0, to: floats.count, by: 4) {
        target.initialize(to: Vector(floats[start], floats[start + 1], floats[start + 2], floats[start + 3]))
        target += 1
      }
    }
    func widen(_ halves: Slice<UnsafeBufferPointer<UInt16>>) {
      var source = halves.startIndex
      while source < halves.endIndex {
        target.initialize(
          to: Self.widened(SIMD4(halves[source], halves[source + 1], halves[source + 2], halves[source + 3])))
        target += 1
        source += 4
      }
    }
    input = UnsafePointer(target)
    copy(bias0)
    copy(bias1)
    for k in 0..<64 {
      widen(input0[k * 128..<k * 128 + 128])
      widen(input1[k * 128..<k * 128 + 128])
    }
    let forward = UnsafePointer(target)
    widen(recurrent0[...])
    let backward = UnsafePointer(target)
    widen(recurrent1[...])
    recurrent = (forward, backward)
    self.hidden = UnsafePointer(target)
    copy(hiddenBias)
    widen(hidden[...])

    rows = .allocate(capacity: count * Self.row / 4)
    states = .allocate(capacity: count)
    states.initialize(repeating: 0, count: count)
  }

  deinit {
    indices.deallocate()
    memory.deallocate()
    rows.deallocate()
    states.deallocate()
  }

  /// More classes than any character has.
  static let mostClasses = 32

  /// Four numbers of half precision in single precision; what has no finite value there is some number here too.
  @inline(__always) static func widened(_ halves: SIMD4<UInt16>) -> Vector {
    let bits = SIMD4<UInt32>(truncatingIfNeeded: halves)
    let magnitude = (bits & SIMD4(repeating: 0x7FFF)) &<< SIMD4(repeating: 13)
    // The exponent's bias is 15 there, 127 here.
    let value = unsafeBitCast(magnitude, to: Vector.self) * Vector(repeating: 0x1p112)
    let sign = (bits & SIMD4(repeating: 0x8000)) &<< SIMD4(repeating: 16)
    return unsafeBitCast(unsafeBitCast(value, to: SIMD4<UInt32>.self) | sign, to: Vector.self)
  }

  /// The number of a character in the network.
  @inline(__always) func index(_ scalar: UInt32) -> Int { scalar < 0x10000 ? Int(indices[Int(scalar)]) : unknown }

  /// The classes that a character of the network can have; empty where it was not trained to tell them apart.
  @inline(__always) func classes(_ index: Int) -> UnsafeBufferPointer<UInt16> {
    let place = Int(places[index])
    guard place != 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(rebasing: lists[place + 1..<place + 1 + Int(lists[place])])
  }

  @inline(__always) func reads(_ index: Int) -> Bool { places[index] != 0 }

  @inline(__always) func reading(_ index: UInt16) -> Reading { Reading(rawValue: readings[Int(index)]) }

  /// The row that a character gives to the gates, forward and backward: computed when it is first met.
  ///
  /// - Parameter spare: Room for a row, used while another thread is computing it.
  @inline(__always) func row(_ index: Int, spare: UnsafeMutablePointer<Vector>) -> UnsafePointer<Vector> {
    let row = rows + index * (Self.row / 4)
    guard mp_atomic_load_byte(states + index) != 2 else { return UnsafePointer(row) }
    return compute(index, row, spare)
  }

  private func compute(_ index: Int, _ row: UnsafeMutablePointer<Vector>, _ spare: UnsafeMutablePointer<Vector>)
    -> UnsafePointer<Vector>
  {
    let mine = mp_atomic_replace_byte(states + index, 0, 1)
    let target = mine ? row : spare
    withUnsafeTemporaryAllocation(of: Vector.self, capacity: 16) { embedding in
      for k in 0..<16 {
        let start = index * 64 + k * 4
        embedding[k] = Self.widened(
          SIMD4(embeddings[start], embeddings[start + 1], embeddings[start + 2], embeddings[start + 3]))
      }
      embedding.withMemoryRebound(to: Float.self) { values in
        for group in 0..<8 {
          product(input + group * 8, by: values, into: target + group * 8)
        }
      }
    }
    if mine { mp_atomic_store_byte(states + index, 2) }
    return UnsafePointer(target)
  }

  /// Eight vectors of the input's product, of all 64.
  @inline(__always) private func product(
    _ start: UnsafePointer<Vector>, by values: UnsafeMutableBufferPointer<Float>,
    into target: UnsafeMutablePointer<Vector>
  ) {
    var (s0, s1, s2, s3) = (start[0], start[1], start[2], start[3])
    var (s4, s5, s6, s7) = (start[4], start[5], start[6], start[7])
    var weights = start + 64
    for value in values {
      let factor = Vector(repeating: value)
      s0 += factor * weights[0]
      s1 += factor * weights[1]
      s2 += factor * weights[2]
      s3 += factor * weights[3]
      s4 += factor * weights[4]
      s5 += factor * weights[5]
      s6 += factor * weights[6]
      s7 += factor * weights[7]
      weights += 64
    }
    (target[0], target[1], target[2], target[3]) = (s0, s1, s2, s3)
    (target[4], target[5], target[6], target[7]) = (s4, s5, s6, s7)
  }

  /// The activation of a class of the last layer.
  @inline(__always) func activation(_ index: UInt16, of states: UnsafePointer<Vector>) -> Float {
    var sum = Vector(outputBias[Int(index)], 0, 0, 0)
    let weights = UnsafeRawPointer(output + Int(index) * 32)
    for k in 0..<8 {
      sum += states[k] * Self.widened(weights.loadUnaligned(fromByteOffset: k * 8, as: SIMD4<UInt16>.self))
    }
    return sum.sum()
  }
}
