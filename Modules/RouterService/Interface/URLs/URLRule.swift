/// What a pattern took from a URL for one of its parameters.
struct URLParameter: Sendable {
    let name: String
    let isList: Bool
    /// One value for each segment or query item.
    var values: [EncodedText]
}

/// One declared pattern and the route that it opens.
struct URLRule: Sendable {
    let pattern: URLPattern
    let template: URLTemplate
    let type: any Route.Type

    /// The values of the parameters, in the order of the pattern, from a URL that the pattern matches.
    ///
    /// Parameters that the URL lacks are there without a value.
    func parameters(of location: URLLocation) -> [URLParameter] {
        var parameters: [URLParameter] = []
        parameters.reserveCapacity(template.path.count + template.query.count)
        for (index, segment) in template.path.enumerated() {
            switch segment {
            case .literal: break
            case .parameter(let name):
                parameters.append(
                    URLParameter(name: name, isList: false, values: [location.segments[index]]))
            case .rest(let name):
                parameters.append(
                    URLParameter(name: name, isList: true, values: Array(location.segments[index...])))
            }
        }
        guard !template.query.isEmpty else { return parameters }
        let firstOfQuery = parameters.count
        for name in template.query {
            parameters.append(URLParameter(name: name.name, isList: name.isList, values: []))
        }
        guard var rest = location.query?.utf8 else { return parameters }
        while !rest.isEmpty {
            let item = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[item.endIndex...].dropFirst()
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            let key = EncodedText(Substring(name)).decoded
            guard let index = parameters[firstOfQuery...].firstIndex(where: { key == $0.name[...] }) else {
                continue
            }
            parameters[index].values.append(EncodedText(Substring(item[name.endIndex...].dropFirst())))
        }
        return parameters
    }
}
