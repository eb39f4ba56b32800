import { type IndexReranker, Reranker } from 'quintet';
import { ModelLoader } from '../models/model_loader.js';
import { rerankers } from '../models/suggested_models.js';
import { byId } from '../shared/dom.js';

/** The visitor's reranker, which an index uses once there is one. */
export class RerankerPanel implements IndexReranker {
  private readonly loader = new ModelLoader(
    byId('reranker', HTMLElement),
    rerankers,
    (source, options) => Reranker.load(source, options),
    () => {},
  );

  get isOn(): boolean {
    return this.loader.model !== undefined;
  }

  rank: IndexReranker['rank'] = (query, texts, options) => this.loader.model!.rank(query, texts, options);
}
