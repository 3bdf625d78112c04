/// The division of names into words: family name and given name.
enum NameShape {
  /// Sets where words begin in a name or a place; `isPartOfName` says that a middle dot stands beside it.
  static func divide(
    _ text: UnsafeBufferPointer<UInt32>, _ choices: UnsafeMutableBufferPointer<ReadingChoice>, as kind: TextKind,
    isPartOfName: Bool
  ) {
    let places = text.indices.filter { CharacterClass.isHan(text[$0]) }
    let second: Int?
    switch kind {
    case .name where isPartOfName: second = nil
    case .name where (3...6).contains(places.count):
      second = compound.contains(UInt64(text[places[0]]) << 32 | UInt64(text[places[1]])) ? 2 : 1
    case .name where places.count == 2: second = 1
    // A short place is one word; what is longer, 北京市海淀区, stays as the engine divided it.
    case .place where places.count <= 4: second = nil
    default: return
    }
    for (number, place) in places.enumerated() { choices[place].startsWord = number == 0 || number == second }
  }

  /// The family names of two characters that are in use, simplified and traditional.
  private static let compound: Set<UInt64> = {
    let names =
      "欧阳歐陽太史端木上官司马司馬东方東方独孤獨孤南宫南宮万俟萬俟闻人聞人夏侯诸葛諸葛尉迟尉遲公羊赫连赫連澹台澹臺皇甫宗政濮阳濮陽公冶太叔申屠"
      + "公孙公孫慕容仲孙仲孫钟离鍾離长孙長孫宇文司徒鲜于鮮于司空闾丘閭丘子车子車亓官司寇巫马巫馬公西颛孙顓孫壤驷壤駟公良漆雕乐正樂正宰父谷梁穀梁拓跋"
      + "夹谷夾谷轩辕軒轅令狐段干百里呼延东郭東郭南门南門羊舌微生公户公戶公玉公仪公儀梁丘公仲公上公门公門公山公坚公堅左丘公伯西门西門公祖第五公乘贯丘貫丘"
      + "公皙南荣南榮东里東里东宫東宮仲长仲長子书子書子桑即墨达奚達奚褚师褚師纳兰納蘭叶赫葉赫完颜完顏耶律富察那拉"
    var found: Set<UInt64> = []
    var first: UInt64?
    for scalar in names.unicodeScalars {
      if let before = first {
        found.insert(before << 32 | UInt64(scalar.value))
        first = nil
      } else {
        first = UInt64(scalar.value)
      }
    }
    return found
  }()
}
