internal import CLua
internal import MPaaSLock

/// An object of the app that Lua holds and hands on, and of which it may call the methods that are named here.
///
///     extension Cart: PatchObject {
///       static let patchMethods: [PatchMethod<Cart>] = [
///         PatchMethod("count") { cart in cart.items.count },
///         PatchMethod("remove") { (cart, index: Int) in cart.remove(at: index) },
///       ]
///     }
///
/// In Lua: `cart:count()`, `cart:remove(2)`.
public protocol PatchObject: AnyObject, PatchValue {
  /// The type's name in Lua and in lists of symbols; the name of the Swift type if nothing else is said.
  static var patchName: String { get }
  /// The methods that Lua may call, read once.
  static var patchMethods: [PatchMethod<Self>] { get }
}

extension PatchObject {
  /// The name of the Swift type.
  public static var patchName: String { "\(Self.self)" }
  /// No methods: Lua can hold the object and hand it on.
  public static var patchMethods: [PatchMethod<Self>] { [] }
  /// The type of an object under the name `patchName`.
  public static var patchType: PatchType { .object(patchName) }

  /// Gives the object to Lua, which holds it until the patch lets go of it.
  ///
  /// - Throws: `PatchValueError` where Lua has no memory for it.
  public func push(on stack: PatchStack) throws(PatchValueError) {
    let type = ObjectType.of(Self.self)
    stack.state.define(type)
    guard stack.push(object: self, type: type, text: nil) else { throw .noRoom }
  }

  /// Takes an object that Lua gives back.
  ///
  /// - Throws: `PatchValueError` where the value is not an object of this class.
  public static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> Self {
    guard let object = stack.object(index)?.object as? Self else { throw .wrongType(patchType, stack, index) }
    return object
  }
}

/// A method of an object of the app that Lua may call.
public struct PatchMethod<Object: PatchObject>: Sendable {
  let entry: ObjectType.Method

  /// A method that gives a value.
  public init<each Argument: PatchValue, Result: PatchValue>(
    _ name: String, _ body: @escaping @Sendable (Object, repeat each Argument) throws -> Result
  ) {
    entry = ObjectType.Method(
      name: name,
      signature: .init(parameterTypes((repeat (each Argument).self)), Result.patchType.value, canThrow: true)
    ) { stack, first in
      let object = try Object.read(from: stack, at: first)
      var reader = ArgumentReader(stack, first + 1)
      let arguments = (repeat try reader.next((each Argument).self))
      let result = try stack.unlocked { () throws in try body(object, repeat each arguments) }
      try result.push(on: stack)
      return .results(1)
    }
  }

  /// A method that gives nothing.
  public init<each Argument: PatchValue>(
    _ name: String, _ body: @escaping @Sendable (Object, repeat each Argument) throws -> Void
  ) {
    entry = ObjectType.Method(
      name: name, signature: .init(parameterTypes((repeat (each Argument).self)), .void, canThrow: true)
    ) { stack, first in
      let object = try Object.read(from: stack, at: first)
      var reader = ArgumentReader(stack, first + 1)
      let arguments = (repeat try reader.next((each Argument).self))
      try stack.unlocked { () throws in try body(object, repeat each arguments) }
      return .results(0)
    }
  }
}

/// Reads one argument behind the other.
struct ArgumentReader {
  private let stack: PatchStack
  private let first: Int32
  private var index: Int32

  init(_ stack: PatchStack, _ first: Int32) {
    self.stack = stack
    self.first = first
    index = first
  }

  mutating func next<Value: PatchValue>(_: Value.Type) throws(PatchValueError) -> Value {
    defer { index += 1 }
    do throws(PatchValueError) {
      return try Value.read(from: stack, at: index)
    } catch {
      throw PatchValueError("argument \(index - first + 1): \(error.message)")
    }
  }
}

func parameterTypes<each Value: PatchValue>(_ types: (repeat (each Value).Type)) -> [ValueType] {
  var result: [ValueType] = []
  repeat result.append((each types).patchType.value)
  return result
}

extension ObjectType {
  private static let known = Lock<[ObjectIdentifier: ObjectType]>([:])

  static func of<Object: PatchObject>(_ type: Object.Type) -> ObjectType {
    if let found = known.withLock({ $0[ObjectIdentifier(type)] }) { return found }
    // The app's code, outside the lock.
    let name = type.patchName
    let methods = type.patchMethods.map(\.entry)
    return known.withLock { known in
      if let found = known[ObjectIdentifier(type)] { return found }
      let made = ObjectType(id: Int32(known.count + 1), name: name, methods: methods)
      known[ObjectIdentifier(type)] = made
      return made
    }
  }
}
