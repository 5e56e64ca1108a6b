/// Files for exports as SQL.
enum SQLExamples {
  /// Every kind of value there is, alone, mixed, nested and absent.
  static let everyKind = #"""
    {"snapshot":{"schema":"odd","version":1,"values":["recent","nested"]},
    "all":[
    {"id":"11111111-2222-3333-4444-555555555555","big":18446744073709551615,"b":true,"r":0.1,
    "dec":"12.340000000000000000000000000000000001","d":"2026-01-02T10:00:00.1234567Z","soon":"2026-01-02T10:00:00.5Z",
    "far":"2001-01-01T00:00:00Z+1e+300","data":"data:;base64,AAEC/w==","mix":1,"nan":"NaN","num":1,
    "enum":{"circle":{"_0":{"radius":1.5}}},"map":{"a b":1,"é":2},"list":[1,null,3],"deep":[[1,2],[],[3]],
    "recs":[{"k":"x","sub":[1]},{"k":"y"}],"t":"it's \\ \"q\" 😀 \u2028 \n tab\t cr\r\n \u007f end","self":null,
    "empty":"","opt":"a","odd":"NaN(0x7FF8000000000001)","long":9007199254740993},
    {"id":"21111111-2222-3333-4444-555555555555","big":0,"b":false,"r":-0.0,"dec":"-0","d":"2026-01-02T10:00:00Z",
    "soon":"0430-12-20T12:00:00Z","far":"2001-01-01T00:00:00Z+NaN","data":"data:;base64,","mix":"1\u0000","nan":"Infinity",
    "num":2.5,"enum":{"square":{}},"map":{},"list":[],"deep":[],"recs":[],"t":"\u0032026-11-21T15:30:00Z","empty":"x",
    "self":"11111111-2222-3333-4444-555555555555","mixed":["a",1],"odd":0.5,"long":2.5},
    {"id":"31111111-2222-3333-4444-555555555555","big":9223372036854775807,"b":false,"r":5e-324,"dec":"1",
    "d":"0001-01-01T00:00:00Z","soon":"9999-12-31T23:59:59Z","far":"2001-01-01T00:00:00Z-0.0",
    "data":"data:;base64,AA==","mix":[1],"nan":"-Infinity","num":-1,
    "enum":{"circle":{"_0":{"radius":1.7976931348623157e+308}}},"map":{"z":3},"list":[-9223372036854775808],
    "deep":[[]],"recs":[{}],"t":"\u004eaN","empty":"","self":"31111111-2222-3333-4444-555555555555",
    "mixed":[{"a":1},null],"odd":-0.0,"long":-1}
    ],
    "recent":["a","b"],"nested":[[1],[2,3]],"theme":{"accent":"red","sizes":[1,2],"x":{"y":{"z":null,"w":1}}},
    "count":5,"none":null,"vacant":[],
    "noid":[{"n":"x","v":1},{"n":"x","v":2}],"scalars":[1,2.5,3],"objs":[{"name":"p","more":{"q":[{"r":[true,false]}]}}]
    }
    """#
}
