import { allowanceContract } from '../ports/allowance.contract.ts';
import { MemoryAllowance } from './allowance.ts';

allowanceContract((terms) => new MemoryAllowance(terms, Date.now));
