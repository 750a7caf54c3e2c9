import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Only loads the libraries that the App links: the start of no program that uses them takes less.
print(URLRequest.self)
