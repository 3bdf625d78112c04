/// Sampled stacks of the threads of a program, in columns: strings, functions, frames and stacks are kept once each.
///
/// The words are those of pprof and Firefox: a *sample* is a *stack* with a *weight*; a stack is a *frame* and the
/// *prefix* that called it; a frame is a place in a *function*. Weights are whole numbers of a `SampleType`'s unit.
///
/// Build one by adding from the outside in:
/// ```swift
/// var profile = Profile(name: "app", types: [.samples])
/// let main = profile.stack(on: nil, frame: profile.frame(profile.function("main", image: "app")))
/// let thread = profile.addThread(ProfileThread(name: "main", id: 71, process: 71))
/// profile.threads[thread].append(stack: main, weight: 1, time: 0, state: .onCPU)
/// ```
package struct Profile: Sendable {
  /// The program or the file that was profiled.
  package var name: String
  /// At least one.
  package var types: [SampleType]
  /// The place in `types` of that which is shown where one is: the last one, as pprof has it, unless a file says so.
  package var shown: Int
  /// Nanoseconds from one sample to the next, or 0.
  package var period: Int64 = 0
  /// Nanoseconds since 1970 of the start, or 0.
  package var start: Int64 = 0
  /// Nanoseconds from the start to the end, or 0.
  package var duration: Int64 = 0
  package private(set) var strings = StringTable()
  package private(set) var images: [ProfileImage] = []
  package private(set) var functions = FunctionTable()
  package private(set) var frames = FrameTable()
  package private(set) var stacks = StackTable()
  package var threads: [ProfileThread] = []
  private var imageRows: [ProfileImage: Int] = [:]

  /// Frames that a stack may have; readers refuse more.
  package static let deepest = 8192

  /// - Parameter types: At least one; none is taken for `samples`.
  package init(name: String, types: [SampleType] = [.samples]) {
    self.name = name
    self.types = types.isEmpty ? [.samples] : types
    shown = max(types.count - 1, 0)
  }

  /// The type that is shown where one is.
  package var type: SampleType { types[shown] }

  /// Adds a thread and gives its place in `threads`.
  package mutating func addThread(_ thread: ProfileThread) -> Int {
    threads.append(thread)
    return threads.count - 1
  }

  /// The place of an image, which is added where it is not there.
  package mutating func image(_ image: ProfileImage) -> Int {
    if let row = imageRows[image] { return row }
    images.append(image)
    imageRows[image] = images.count - 1
    return images.count - 1
  }

  /// The number of a string, which is added where it is not there.
  package mutating func string(_ text: String) -> Int { strings.add(text) }

  /// The same of UTF-8.
  package mutating func string(_ bytes: UnsafeRawBufferPointer) -> Int { strings.add(bytes) }

  /// The row of a function, which is added where it is not there.
  ///
  /// - Parameters:
  ///   - name: As it is shown; a function without a name is named by its image and offset, or by its address.
  ///   - image: Of `image(_:)`, or nil.
  ///   - line: That on which the function begins, or 0.
  package mutating func function(_ name: String, image: Int? = nil, file: String = "", line: Int = 0) -> Int {
    function(named: strings.add(name), image: image, file: file.isEmpty ? 0 : strings.add(file), line: line)
  }

  /// The same of strings that were added before.
  package mutating func function(named name: Int, image: Int? = nil, file: Int = 0, line: Int = 0) -> Int {
    functions.add(
      name: Int32(truncatingIfNeeded: name), image: Int32(truncatingIfNeeded: image ?? -1),
      file: Int32(truncatingIfNeeded: file), line: Int32(clamping: line))
  }

  /// The row of a frame, which is added where it is not there.
  package mutating func frame(_ function: Int, address: UInt64 = 0, line: Int = 0) -> Int {
    frames.add(function: Int32(truncatingIfNeeded: function), address: address, line: Int32(clamping: line))
  }

  /// The row of a stack, which is added where it is not there.
  ///
  /// - Parameters:
  ///   - prefix: The stack that called, or nil for the outermost frame.
  ///   - frame: Of `frame(_:address:line:)`.
  @inline(__always)
  package mutating func stack(on prefix: Int?, frame: Int) -> Int {
    stacks.add(prefix: Int32(truncatingIfNeeded: prefix ?? -1), frame: Int32(truncatingIfNeeded: frame))
  }
}

extension Profile {
  /// The function of a stack's innermost frame.
  package func function(ofStack stack: Int) -> Int { Int(frames.functions[Int(stacks.frames[stack])]) }

  package func name(ofFunction function: Int) -> String { strings[Int(functions.names[function])] }

  /// The image that a function is in.
  package func image(ofFunction function: Int) -> ProfileImage? {
    let image = Int(functions.images[function])
    return images.indices.contains(image) ? images[image] : nil
  }

  /// The number of samples of all threads.
  package var sampleCount: Int { threads.reduce(0) { $0 + $1.count } }

  /// The sum of the weights of a type over all threads; stays at the greatest number instead of wrapping.
  package func total(of type: Int) -> Int64 {
    threads.reduce(0) { $0.addingSaturating($1.total(of: type, of: types.count)) }
  }

  /// The sum of the weights of the type that is shown.
  package var total: Int64 { total(of: shown) }
}

extension ProfileThread {
  /// The sum of the weights of a type.
  ///
  /// - Parameter count: The number of types of the profile.
  package func total(of type: Int, of count: Int) -> Int64 {
    stride(from: type, to: weights.count, by: count).reduce(0) { $0.addingSaturating(weights[$1]) }
  }
}

extension Int64 {
  /// The sum, or the nearest number that there is.
  package func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }
}
