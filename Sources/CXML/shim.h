/* Debian builds libxml2 with ICU, whose headers contradict those that Foundation has of its own. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/xmlreader.h>
