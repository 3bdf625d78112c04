private import MPaaSPinyin

// usage: PinyinBench WHAT …; each measurement prints one line of JSON.
print(#"{"readings":\#(PinyinData.builtIn.readings[0x91CD].count)}"#)
