// The element is bundled with the page; the index is where the build has put it.
import 'quintet/site/element';
