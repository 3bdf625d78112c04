/// The Objective-C that generated implementations stand on: functions of the file, so that several files do not collide.
enum ObjectiveCModelSupport {
  static func source(domain: String) -> String {
    (base.replacing("@DOMAIN@", with: domain) + scalars + containers + members)
      .replacing("\nstatic ", with: "\n__attribute__((unused)) static ")
  }

  private static let base = """
    // The base of reading and writing. NSNumber, NSString, NSArray, NSDictionary and NSNull are JSON as
    // NSJSONSerialization has it.

    typedef id (*JSONReader)(id json, NSString *path, NSError **error);

    typedef NS_OPTIONS(NSUInteger, JSONKind) {
        JSONKindNull = 1 << 0,
        JSONKindBoolean = 1 << 1,
        JSONKindInteger = 1 << 2,
        JSONKindNumber = 1 << 3,
        JSONKindString = 1 << 4,
        JSONKindArray = 1 << 5,
        JSONKindObject = 1 << 6,
    };

    static id JSONFail(NSError **error, NSString *path, NSString *message) {
        if (error) {
            NSString *pointer = path.length ? path : @"/";
            NSString *text = [NSString stringWithFormat:@"%@: %@", pointer, message];
            NSDictionary *information = @{NSLocalizedDescriptionKey: text, @"path": pointer};
            *error = [NSError errorWithDomain:@DOMAIN@ code:1 userInfo:information];
        }
        return nil;
    }

    /// The path of a member or an element, as a JSON pointer has it.
    static NSString *JSONBelow(NSString *path, NSString *name) {
        NSString *step = [name stringByReplacingOccurrencesOfString:@"~" withString:@"~0"];
        step = [step stringByReplacingOccurrencesOfString:@"/" withString:@"~1"];
        return [path stringByAppendingFormat:@"/%@", step];
    }

    static JSONKind JSONKindOf(id json) {
        if (json == nil || [json isKindOfClass:[NSNull class]]) return JSONKindNull;
        if ([json isKindOfClass:[NSString class]]) return JSONKindString;
        if ([json isKindOfClass:[NSArray class]]) return JSONKindArray;
        if ([json isKindOfClass:[NSDictionary class]]) return JSONKindObject;
        if (![json isKindOfClass:[NSNumber class]]) return 0;
        if ([json isKindOfClass:[@(YES) class]]) return JSONKindBoolean;
        double value = [(NSNumber *)json doubleValue];
        return value == (double)(long long)value || value > 9.0e18 || value < -9.0e18 ? JSONKindInteger : JSONKindNumber;
    }

    /// An integer is a number too.
    static BOOL JSONIsOfKind(id json, JSONKind kinds) {
        JSONKind kind = JSONKindOf(json);
        return (kind & kinds) != 0 || (kind == JSONKindInteger && (kinds & JSONKindNumber));
    }

    /// Models as JSON, wherever they are; nil as null.
    static id JSONOf(id value) {
        if (value == nil) return [NSNull null];
        if ([value isKindOfClass:[NSArray class]]) {
            NSMutableArray *elements = [NSMutableArray array];
            for (id element in value) [elements addObject:JSONOf(element)];
            return elements;
        }
        if ([value isKindOfClass:[NSDictionary class]]) {
            NSMutableDictionary *members = [NSMutableDictionary dictionary];
            for (NSString *name in value) [members setObject:JSONOf([value objectForKey:name]) forKey:name];
            return members;
        }
        return [value respondsToSelector:@selector(JSONObject)] ? [value JSONObject] : value;
    }

    """

  private static let scalars = """

    static id JSONReadAny(id json, NSString *path, NSError **error) {
        return json ? json : JSONFail(error, path, @"is missing");
    }

    static id JSONReadNull(id json, NSString *path, NSError **error) {
        return JSONIsOfKind(json, JSONKindNull) ? [NSNull null] : JSONFail(error, path, @"must be null");
    }

    static id JSONReadBoolean(id json, NSString *path, NSError **error) {
        return JSONIsOfKind(json, JSONKindBoolean) ? json : JSONFail(error, path, @"must be a boolean");
    }

    static id JSONReadInteger(id json, NSString *path, NSError **error) {
        return JSONIsOfKind(json, JSONKindInteger) ? json : JSONFail(error, path, @"must be an integer");
    }

    static id JSONReadNumber(id json, NSString *path, NSError **error) {
        return JSONIsOfKind(json, JSONKindNumber) ? json : JSONFail(error, path, @"must be a number");
    }

    static id JSONReadString(id json, NSString *path, NSError **error) {
        return JSONIsOfKind(json, JSONKindString) ? json : JSONFail(error, path, @"must be a string");
    }

    static id JSONReadConstant(id json, NSString *path, NSArray *values, NSError **error) {
        for (id value in values) {
            if (JSONKindOf(value) == JSONKindOf(json) && [value isEqual:json]) return value;
        }
        return JSONFail(error, path, @"is not one of the permitted values");
    }

    static BOOL JSONReadObject(id json, NSString *path, NSError **error) {
        if (JSONIsOfKind(json, JSONKindObject)) return YES;
        JSONFail(error, path, @"must be an object");
        return NO;
    }

    """

  private static let containers = """

    static id JSONReadArray(id json, NSString *path, JSONReader reader, NSError **error) {
        if (!JSONIsOfKind(json, JSONKindArray)) return JSONFail(error, path, @"must be an array");
        NSMutableArray *values = [NSMutableArray array];
        for (id element in json) {
            NSString *place = [NSString stringWithFormat:@"%lu", (unsigned long)values.count];
            id value = reader(element, JSONBelow(path, place), error);
            if (value == nil) return nil;
            [values addObject:value];
        }
        return values;
    }

    static id JSONReadMap(id json, NSString *path, JSONReader reader, NSError **error) {
        if (!JSONReadObject(json, path, error)) return nil;
        NSMutableDictionary *values = [NSMutableDictionary dictionary];
        for (NSString *name in json) {
            id value = reader([json objectForKey:name], JSONBelow(path, name), error);
            if (value == nil) return nil;
            [values setObject:value forKey:name];
        }
        return values;
    }

    static id JSONReadNullOr(id json, NSString *path, JSONReader reader, NSError **error) {
        return JSONIsOfKind(json, JSONKindNull) ? [NSNull null] : reader(json, path, error);
    }

    static id JSONReadTuple(
        id json, NSString *path, JSONReader const *readers, NSUInteger count, NSUInteger least, JSONReader rest, NSError **error) {
        if (!JSONIsOfKind(json, JSONKindArray)) return JSONFail(error, path, @"must be an array");
        if ([(NSArray *)json count] < least) return JSONFail(error, path, @"has too few elements");
        NSMutableArray *values = [NSMutableArray array];
        for (id element in json) {
            NSString *place = JSONBelow(path, [NSString stringWithFormat:@"%lu", (unsigned long)values.count]);
            JSONReader reader = values.count < count ? readers[values.count] : rest;
            id value = reader ? reader(element, place, error) : JSONFail(error, place, @"is not permitted");
            if (value == nil) return nil;
            [values addObject:value];
        }
        return values;
    }

    """

  private static let members = """

    /// A member that is always there.
    static BOOL JSONRequired(NSDictionary *members, NSString *name, NSString *path, JSONReader reader, id *value, NSError **error) {
        id json = [members objectForKey:name];
        if (json == nil) {
            JSONFail(error, path, [NSString stringWithFormat:@"must have a member \\"%@\\"", name]);
            return NO;
        }
        return (*value = reader(json, JSONBelow(path, name), error)) != nil;
    }

    /// A member that is always there and may be null.
    static BOOL JSONRequiredOrNull(NSDictionary *members, NSString *name, NSString *path, JSONReader reader, id *value, NSError **error) {
        if ([[members objectForKey:name] isKindOfClass:[NSNull class]]) return YES;
        return JSONRequired(members, name, path, reader, value, error);
    }

    /// A member that may be missing.
    static BOOL JSONOptional(NSDictionary *members, NSString *name, NSString *path, JSONReader reader, id *value, NSError **error) {
        return [members objectForKey:name] == nil || JSONRequired(members, name, path, reader, value, error);
    }

    /// A member that may be missing or null.
    static BOOL JSONNullable(NSDictionary *members, NSString *name, NSString *path, JSONReader reader, id *value, NSError **error) {
        return [members objectForKey:name] == nil || JSONRequiredOrNull(members, name, path, reader, value, error);
    }

    static NSSet *JSONNullMembers(NSDictionary *members, NSArray *names) {
        NSMutableSet *found = [NSMutableSet set];
        for (NSString *name in names) {
            if ([[members objectForKey:name] isKindOfClass:[NSNull class]]) [found addObject:name];
        }
        return found;
    }

    /// The members that have no property of their own.
    static NSDictionary *JSONReadRest(NSDictionary *members, NSArray *known, NSString *path, JSONReader reader, NSError **error) {
        NSMutableDictionary *rest = [members mutableCopy];
        [rest removeObjectsForKeys:known];
        return JSONReadMap(rest, path, reader, error);
    }

    """
}
