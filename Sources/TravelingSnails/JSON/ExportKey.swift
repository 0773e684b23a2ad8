/// The known keys, so that a key costs one byte once it is read.
enum ExportKey: String, CaseIterable {
    /// No key has been read yet.
    case none = ""
    /// A key that is not among these.
    case unknown = "?"

    case exportInfo, version, timestamp, format
    case trips, organizations, addresses, attachments
    case id, name, notes, createdDate, startDate, endDate, hasStartDate, hasEndDate, totalCost, isProtected
    case transportation, lodging, activities
    case embeddedTransportation, embeddedLodging, embeddedActivities
    case type, start, end, startTZId, endTZId, cost, paid, confirmation, reservation
    case organizationId, customLocationName, hideLocation
    case phone, email, website, logoURL, address
    case fileName, originalFileName, fileSize, mimeType, fileDescription, parentType, parentId, fileData
    // Those that the app does not know, and passes over.
    case exportedBy, exportedFrom, timeZone, currency, hasStart, hasEnd, startMilliseconds, endMilliseconds
    case createdDateMilliseconds, hasCoordinates
    case street, city, state, country, postalCode, latitude, longitude, formattedAddress
}
