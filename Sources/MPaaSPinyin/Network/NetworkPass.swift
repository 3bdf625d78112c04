/// One pass of the network over a sentence.
struct NetworkPass {
  typealias Vector = NetworkWeights.Vector

  private let weights: NetworkWeights
  /// The states, 16 vectors for each position: 8 forward, 8 backward.
  private let states: UnsafeMutablePointer<Vector>
  private let spare: UnsafeMutablePointer<Vector>

  /// The number of vectors that a pass over `count` positions needs.
  static func room(_ count: Int) -> Int { count * 16 + NetworkWeights.row / 4 }

  init(_ weights: NetworkWeights, room: UnsafeMutablePointer<Vector>) {
    self.weights = weights
    spare = room
    states = room + NetworkWeights.row / 4
  }

  /// Computes the states of both directions.
  ///
  /// - Parameters:
  ///   - indices: The characters, begin and end among them.
  ///   - wanted: The positions whose states will be asked for: forward goes no further than the last of them,
  ///     backward no further than the first.
  func run(_ indices: UnsafeBufferPointer<UInt16>, for wanted: Range<Int>) {
    let zero = Vector(repeating: 0)
    withUnsafeTemporaryAllocation(of: Vector.self, capacity: 24) { room in
      guard let cells = room.baseAddress else { return }
      room.initialize(repeating: zero)
      // Cells of both directions, then states before the first position.
      var (forward, backward) = (UnsafePointer(cells + 16), UnsafePointer(cells + 16))
      let (ahead, back) = (wanted.upperBound, indices.count - wanted.lowerBound)
      for step in 0..<max(ahead, back) {
        if step < ahead {
          let row = weights.row(Int(indices[step]), spare: spare)
          let next = states + step * 16
          Self.step(row, weights.recurrent.0, forward, cells, next)
          forward = UnsafePointer(next)
        }
        if step < back {
          let position = indices.count - 1 - step
          let row = weights.row(Int(indices[position]), spare: spare) + 32
          let next = states + position * 16 + 8
          Self.step(row, weights.recurrent.1, backward, cells + 8, next)
          backward = UnsafePointer(next)
        }
      }
    }
  }

  /// One step of a direction: the gates, then the cells and states of 32 units.
  @inline(__always) private static func step(
    _ row: UnsafePointer<Vector>, _ recurrent: UnsafePointer<Vector>, _ state: UnsafePointer<Vector>,
    _ cells: UnsafeMutablePointer<Vector>, _ next: UnsafeMutablePointer<Vector>
  ) {
    let values = UnsafeRawPointer(state).assumingMemoryBound(to: Float.self)
    var weights = recurrent
    for group in 0..<4 {
      let start = row + group * 8
      var (i0, i1, f0, f1) = (start[0], start[1], start[2], start[3])
      var (g0, g1, o0, o1) = (start[4], start[5], start[6], start[7])
      for k in 0..<32 {
        let value = Vector(repeating: values[k])
        i0 += value * weights[0]
        i1 += value * weights[1]
        f0 += value * weights[2]
        f1 += value * weights[3]
        g0 += value * weights[4]
        g1 += value * weights[5]
        o0 += value * weights[6]
        o1 += value * weights[7]
        weights += 8
      }
      next[group * 2] = output(i0, f0, g0, o0, &cells[group * 2])
      next[group * 2 + 1] = output(i1, f1, g1, o1, &cells[group * 2 + 1])
    }
  }

  /// The new cell c·sigmoid(f) + sigmoid(i)·tanh(g), and what the unit gives: sigmoid(o)·tanh(c).
  ///
  /// Two divisions: all is brought to one denominator. The weights bound |i| + |f| + |g| below 2^120, nothing
  /// overflows.
  @inline(__always) private static func output(
    _ i: Vector, _ f: Vector, _ g: Vector, _ o: Vector, _ cell: inout Vector
  ) -> Vector {
    let one = Vector(repeating: 1)
    let (ei, ef, eg, eo) = (power(i), power(f), power(g), power(o))
    let product = (one + ei) * (one + eg)
    let forget = one + ef
    let new = (cell * product + (one - eg) * forget) / (product * forget)
    cell = new
    // Beyond 9, tanh is 1 in single precision; the scale is -2 / ln 2.
    let ec = power(limited(new * Vector(repeating: -2.885_390_081_777_927)))
    return (one - ec) / ((one + ec) * (one + eo))
  }

  @inline(__always) private static func limited(_ value: Vector) -> Vector {
    let (low, high) = (Vector(repeating: -26), Vector(repeating: 26))
    let above = value.replacing(with: low, where: value .< low)
    return above.replacing(with: high, where: above .> high)
  }

  /// 2 to the power of each value, within -126...127; the relative error is below 3e-6.
  @inline(__always) static func power(_ value: Vector) -> Vector {
    // Adding 1.5 · 2^23 leaves the nearest whole number in the lowest bits.
    let whole = value + Vector(repeating: 12_582_912)
    let rest = value - (whole - Vector(repeating: 12_582_912))
    var result = rest * Vector(repeating: 0.009_570_100) + Vector(repeating: 0.055_917_860)
    result = result * rest + Vector(repeating: 0.240_247_449)
    result = result * rest + Vector(repeating: 0.693_121_815)
    result = result * rest + Vector(repeating: 0.999_999_261)
    let exponent = unsafeBitCast(whole, to: SIMD4<UInt32>.self) &<< SIMD4(repeating: 23)
    return unsafeBitCast(unsafeBitCast(result, to: SIMD4<UInt32>.self) &+ exponent, to: Vector.self)
  }

  /// e to a power of at most 0; what lies below -60 is none.
  static func exponential(_ value: Float) -> Float { power(Vector(repeating: max(value, -60) * 1.442_695))[0] }

  /// The logarithms of how probable the classes of a character at a position are, up to a constant.
  func activations(
    of classes: UnsafeBufferPointer<UInt16>, at position: Int, into result: UnsafeMutablePointer<Float>
  ) {
    withUnsafeTemporaryAllocation(of: Vector.self, capacity: 8) { room in
      guard let hidden = room.baseAddress else { return }
      let weights = weights.hidden
      var (s0, s1, s2, s3) = (weights[0], weights[1], weights[2], weights[3])
      var (s4, s5, s6, s7) = (weights[4], weights[5], weights[6], weights[7])
      var row = weights + 8
      let values = UnsafeRawPointer(states + position * 16).assumingMemoryBound(to: Float.self)
      for k in 0..<64 {
        let value = Vector(repeating: values[k])
        s0 += value * row[0]
        s1 += value * row[1]
        s2 += value * row[2]
        s3 += value * row[3]
        s4 += value * row[4]
        s5 += value * row[5]
        s6 += value * row[6]
        s7 += value * row[7]
        row += 8
      }
      (hidden[0], hidden[1], hidden[2], hidden[3]) = (positive(s0), positive(s1), positive(s2), positive(s3))
      (hidden[4], hidden[5], hidden[6], hidden[7]) = (positive(s4), positive(s5), positive(s6), positive(s7))
      for (place, index) in classes.enumerated() {
        result[place] = self.weights.activation(index, of: UnsafePointer(hidden))
      }
    }
  }

  @inline(__always) private func positive(_ value: Vector) -> Vector {
    let zero = Vector(repeating: 0)
    return value.replacing(with: zero, where: value .< zero)
  }
}
