/// One part of a demangled C++ name; other parts are named by their place in the arena.
enum CxxNode {
  typealias Index = Int

  case text(String)
  case nested(Index, Index)
  /// Something inside a function: the function, and what is in it.
  case local(Index, Index)
  case template(Index, [Index])
  case tagged(Index, String)
  /// A constructor's or destructor's class; its name is said once more.
  case constructor(Index, isDestructor: Bool)
  /// An operator; its symbol without the word.
  case operatorName(String)
  case conversion(Index)
  case lambda([Index], Int)
  case unnamedType(Int)
  case binding([Index])

  case qualified(Index, Qualifiers)
  /// A type with a word behind it, as `_Complex` or a vendor's qualifier.
  case suffixed(Index, String)
  case pointer(Index)
  case reference(Index, isRvalue: Bool)
  case memberPointer(Index, Index)
  case function(CxxFunction)
  case encoding(Index, CxxFunction)
  case array(Index?, Index)
  case vector(Index, Index)
  case expansion(Index)
  case pack([Index])
  /// A template parameter, by number; which arguments it is of, the printer knows.
  case parameter(Int)

  /// Words before something: `vtable for `, `decltype (`; and what follows it.
  case wrapped(String, Index, String)
  case construction(Index, Index)

  case literal(Index, String)
  case unary(String, Index, Form)
  case binary(String, Index, Index)
  case conditional(Index, Index, Index)
  case call(Index, [Index])
  case subscripted(Index, Index)
  case cast(String, Index, Index)
  case conversionExpression(Index, [Index])
  case initializer(Index?, [Index])
  case new(placement: [Index], type: Index, arguments: [Index]?, prefix: String)
  case fold(Character, String, Index, Index?)
  /// The number of the parts' elements together.
  case packSize([Index])

  /// The place of the operator of a unary expression.
  enum Form { case plain, postfix, parenthesised, global }

  struct Qualifiers: OptionSet {
    let rawValue: UInt8

    static let const = Qualifiers(rawValue: 1)
    static let volatile = Qualifiers(rawValue: 2)
    static let restrict = Qualifiers(rawValue: 4)

    var words: String {
      (contains(.const) ? " const" : "") + (contains(.volatile) ? " volatile" : "")
        + (contains(.restrict) ? " restrict" : "")
    }
  }
}

/// The type of a function.
struct CxxFunction {
  var result: CxxNode.Index?
  var parameters: [CxxNode.Index] = []
  var qualifiers: CxxNode.Qualifiers = []
  /// `&`, `&&` or nothing.
  var reference = ""
  /// `noexcept` and its kin, with a space before.
  var exceptions = ""
  var exceptionOperands: [CxxNode.Index] = []
}
